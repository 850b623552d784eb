import welcomeFile from "../../config/welcome.yml";
import { settingsFrom } from "../../lib/settings/settings-from.ts";
import { onTrigger } from "../../lib/triggers/on-trigger.ts";
import { decideWelcome, welcomeMaxAgeMs } from "../../lib/welcome/decide-welcome.ts";
import { welcomeRulesSchema } from "../../lib/welcome/welcome-rules.ts";

/** Welcomes new members of a group as config/welcome.yml says. */
export const welcome = onTrigger(
  ["group_member_joined", "group_member_added"],
  { settings: settingsFrom(welcomeFile, welcomeRulesSchema) },
  async ({ event, effects, log, ageMs, passOver, settings }) => {
    const { guid } = event.group;
    const message = decideWelcome({ guid, members: event.members }, settings);
    if (message === undefined) return;
    if (ageMs > welcomeMaxAgeMs(guid, settings)) return passOver("too-old");
    const { id } = await effects.sendText("welcome", message, { isRemembered: true });
    log.info("welcomed new members", { appId: event.head.appId, group: guid, messageId: id });
  },
);
