import escalateFile from "../../config/escalate.yml";
import { createEscalate } from "../../lib/behaviours/escalation/create-escalate.ts";
import { escalationRulesSchema } from "../../lib/behaviours/escalation/escalation-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** Tells moderators of blocked and unjudged messages as config/escalate.yml says. */
export const escalate = createEscalate(settingsFrom(escalateFile, escalationRulesSchema));
