import escalateFile from "../../config/escalate.yml";
import forwardFile from "../../config/forward.yml";
import repliesFile from "../../config/replies.yml";
import welcomeFile from "../../config/welcome.yml";
import { createEscalate } from "../../lib/behaviours/escalation/create-escalate.ts";
import { createForward } from "../../lib/behaviours/forwarding/create-forward.ts";
import { createAutoReply } from "../../lib/behaviours/replies/create-auto-reply.ts";
import { createWelcome } from "../../lib/behaviours/welcome/create-welcome.ts";
import { checkedSettings } from "../../lib/chat/settings-from.ts";
import type { TriggerTable } from "../../lib/handle/on-trigger.ts";

export const autoReply = createAutoReply(checkedSettings(repliesFile));

export const welcome = createWelcome(checkedSettings(welcomeFile));

export const escalate = createEscalate(checkedSettings(escalateFile));

export const forward = createForward(checkedSettings(forwardFile));

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
