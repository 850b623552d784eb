import escalateFile from "../../config/escalate.yml";
import { durationMs } from "../../lib/duration.ts";
import { decideEscalation } from "../../lib/escalation/decide-escalation.ts";
import { describeCase } from "../../lib/escalation/describe-case.ts";
import { type EscalationRules, escalationRulesSchema } from "../../lib/escalation/escalation-rules.ts";
import { type Settings, settingsFrom } from "../../lib/settings/settings-from.ts";
import { onTrigger, type Trigger } from "../../lib/triggers/on-trigger.ts";

/** Makes the trigger for other rules than those of config/escalate.yml. */
export function createEscalate(settings: Settings<EscalationRules>): Trigger {
  return onTrigger(
    ["moderation_engine_blocked", "moderation_engine_failed", "message_sent"],
    // What it leaves alone of its own is counted.
    { where: { from: "anybody" }, settings },
    async ({ event, effects, log, ageMs, passOver, settings: rules }) => {
      const maxAgeMs = rules.maxAge === undefined ? Number.POSITIVE_INFINITY : durationMs(rules.maxAge);
      const found = describeCase(event);
      const summary = found && decideEscalation(found, rules);
      if (summary === undefined) return;
      if (ageMs > maxAgeMs) return passOver("too-old");
      if ("message" in event && (await effects.isOwn(event.message))) return passOver("own-message");
      const { id } = await effects.sendText("summary", summary, { isRemembered: true });
      log.info("told the moderators", { appId: event.head.appId, about: found?.message.id, messageId: id });
    },
  );
}

/** Tells moderators of blocked and unjudged messages as config/escalate.yml says. */
export const escalate = createEscalate(settingsFrom(escalateFile, escalationRulesSchema));
