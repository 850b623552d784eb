import { durationMs } from "../../base/duration.ts";
import type { TextMessage } from "../../effects/messages/sending.ts";
import { checkSettings } from "../../handle/check-trigger.ts";
import { onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import { describeCase, type ModerationCase } from "./describe-case.ts";
import type { EscalationRules } from "./escalation-rules.ts";

/**
 * Creates the trigger that notifies moderators of blocked and unjudged messages. Never throws by itself:
 * invalid rules fail their events.
 */
export function createEscalate(settings: SettingsSource<EscalationRules>): Trigger {
  checkSettings("createEscalate", settings);
  return onTrigger(
    ["moderation_engine_blocked", "moderation_engine_failed", "message_sent"],
    { where: { from: "anybody" }, settings },
    async ({ event, effects, explain, log, ageMs, passOver, settings: rules }) => {
      const maxAgeMs = rules.maxAge === undefined ? Number.POSITIVE_INFINITY : durationMs(rules.maxAge);
      const found = describeCase(event);
      const summary = found && decideEscalation(found, rules);
      if (found === undefined) return explain("the moderation did not block the message");
      if (summary === undefined) return explain(`config/escalate.yml does not report it (${found.outcome})`);
      if (ageMs > maxAgeMs) return passOver("too-old");
      if ("message" in event && (await effects.isOwn(event.message))) return passOver("own-message");
      const { id } = await effects.sendText("summary", summary, { isRemembered: true });
      log.info("told the moderators", { appId: event.head.appId, about: found?.message.id, messageId: id });
    },
  );
}

/**
 * Pure. Skips the notifier's own messages in the moderators' group: a blocked summary would cause another,
 * endlessly.
 */
function decideEscalation(
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
