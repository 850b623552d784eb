import escalateFile from "../../config/escalate.yml";
import forwardFile from "../../config/forward.yml";
import repliesFile from "../../config/replies.yml";
import welcomeFile from "../../config/welcome.yml";
import { createEscalate } from "../../lib/behaviours/escalation/create-escalate.ts";
import { escalationRulesSchema } from "../../lib/behaviours/escalation/escalation-rules.ts";
import { createForward } from "../../lib/behaviours/forwarding/create-forward.ts";
import { forwardRulesSchema } from "../../lib/behaviours/forwarding/forward-rules.ts";
import { createAutoReply } from "../../lib/behaviours/replies/create-auto-reply.ts";
import { replyRulesSchema } from "../../lib/behaviours/replies/reply-rules.ts";
import { createWelcome } from "../../lib/behaviours/welcome/create-welcome.ts";
import { welcomeRulesSchema } from "../../lib/behaviours/welcome/welcome-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";
import type { TriggerTable } from "../../lib/handle/on-trigger.ts";

/** By config/replies.yml. */
export const autoReply = createAutoReply(settingsFrom(repliesFile, replyRulesSchema));

/** By config/welcome.yml. */
export const welcome = createWelcome(settingsFrom(welcomeFile, welcomeRulesSchema));

/** By config/escalate.yml. */
export const escalate = createEscalate(settingsFrom(escalateFile, escalationRulesSchema));

/** By config/forward.yml. */
export const forward = createForward(settingsFrom(forwardFile, forwardRulesSchema));

/**
 * In order; the team's own are in functions/own/triggers.ts. Never rename one: effects are stored by its
 * name.
 */
export const shippedTriggers: TriggerTable = {
  "auto-reply": autoReply,
  welcome,
  escalate,
  forward,
};
