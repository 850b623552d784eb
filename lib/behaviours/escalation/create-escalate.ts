import { durationMs } from "../../base/duration.ts";
import { checkSettings } from "../../handle/check-trigger.ts";
import { onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import { decideEscalation } from "./decide-escalation.ts";
import { describeCase } from "./describe-case.ts";
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
