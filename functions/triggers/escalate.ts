import escalateFile from "../../config/escalate.yml";
import { isAutomatic } from "../../lib/effects/automatic.ts";
import { decideEscalation } from "../../lib/escalation/decide-escalation.ts";
import { describeCase } from "../../lib/escalation/describe-case.ts";
import { type EscalationRules, escalationRulesSchema } from "../../lib/escalation/escalation-rules.ts";
import { onTrigger, type Trigger } from "../../lib/triggers/on-trigger.ts";

/** Makes the trigger for other rules than those of config/escalate.yml. */
export function createEscalate(rules: EscalationRules): Trigger {
  return onTrigger(
    ["moderation_engine_blocked", "moderation_engine_failed", "message_sent"],
    async ({ event, effects, log }) => {
      if ("message" in event && isAutomatic(event.message)) return;
      const found = describeCase(event);
      const message = found && decideEscalation(found, rules);
      if (message === undefined) return;
      const { id } = await effects.sendText("summary", message);
      log.info("told the moderators", { appId: event.head.appId, about: found?.message.id, messageId: id });
    },
  );
}

/** Tells moderators of blocked and unjudged messages as config/escalate.yml says. */
export const escalate = createEscalate(escalationRulesSchema.parse(escalateFile));
