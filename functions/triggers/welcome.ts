import welcomeFile from "../../config/welcome.yml";
import { settingsFrom } from "../../lib/settings/settings-from.ts";
import { createWelcome } from "../../lib/welcome/create-welcome.ts";
import { welcomeRulesSchema } from "../../lib/welcome/welcome-rules.ts";

/** Welcomes new members of a group as config/welcome.yml says. */
export const welcome = createWelcome(settingsFrom(welcomeFile, welcomeRulesSchema));
