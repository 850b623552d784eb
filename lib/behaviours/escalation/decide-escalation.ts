import type { TextMessage } from "../../effects/text-message.ts";
import type { ModerationCase } from "./describe-case.ts";
import type { EscalationRules } from "./escalation-rules.ts";

/**
 * Decides whether moderators are told of a case, and how. Pure. What was written into the moderators' group by the
 * one who tells them is left out: a blocked summary would otherwise bring the next one, for ever.
 */
export function decideEscalation(
  { outcome, message, summary, link }: ModerationCase,
  { enabled, group, as, on }: EscalationRules,
): TextMessage | undefined {
  const { sender, receiverType, receiver, conversationId } = message;
  const isThere =
    receiver === undefined
      ? conversationId === `group_${group}`
      : receiverType !== "user" && receiver === group;
  const isOwn = isThere && (sender ?? as) === as;
  if (!enabled || !on.includes(outcome) || isOwn) return undefined;
  return {
    receiver: group,
    receiverType: "group",
    onBehalfOf: as,
    text: summary,
    metadata: { moderation: { outcome, ...link } },
  };
}
