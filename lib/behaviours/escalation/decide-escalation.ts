import type { TextMessage } from "../../effects/messages/sending.ts";
import type { ModerationCase } from "./describe-case.ts";
import type { EscalationRules } from "./escalation-rules.ts";

/**
 * Pure. Skips the notifier's own messages in the moderators' group: a blocked summary would cause another,
 * endlessly.
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
