import escalateFile from "../../config/escalate.yml";
import { createEscalate } from "../../lib/escalation/create-escalate.ts";
import { escalationRulesSchema } from "../../lib/escalation/escalation-rules.ts";
import { settingsFrom } from "../../lib/settings/settings-from.ts";

/** Tells moderators of blocked and unjudged messages as config/escalate.yml says. */
export const escalate = createEscalate(settingsFrom(escalateFile, escalationRulesSchema));
