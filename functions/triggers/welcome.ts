import welcomeFile from "../../config/welcome.yml";
import { createWelcome } from "../../lib/behaviours/welcome/create-welcome.ts";
import { welcomeRulesSchema } from "../../lib/behaviours/welcome/welcome-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** By config/welcome.yml. */
export const welcome = createWelcome(settingsFrom(welcomeFile, welcomeRulesSchema));
