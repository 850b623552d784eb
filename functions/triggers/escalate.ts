import escalateFile from "../../config/escalate.yml";
import { createEscalate } from "../../lib/behaviours/escalation/create-escalate.ts";
import { escalationRulesSchema } from "../../lib/behaviours/escalation/escalation-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** By config/escalate.yml. */
export const escalate = createEscalate(settingsFrom(escalateFile, escalationRulesSchema));
