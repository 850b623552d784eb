import welcomeFile from "../../config/welcome.yml";
import { settingsFrom } from "../../lib/settings/settings-from.ts";
import { onTrigger } from "../../lib/triggers/on-trigger.ts";
import { decideWelcome, welcomeMaxAgeMs } from "../../lib/welcome/decide-welcome.ts";
import { welcomeRulesSchema } from "../../lib/welcome/welcome-rules.ts";

const settings = settingsFrom(welcomeFile, welcomeRulesSchema);

/** Welcomes new members of a group as config/welcome.yml says. */
export const welcome = onTrigger(
  ["group_member_joined", "group_member_added"],
  async ({ event, effects, log, ageMs, passOver }) => {
    const { guid } = event.group;
    const rules = settings.of(event.head.appId);
    const message = decideWelcome({ guid, members: event.members }, rules);
    if (message === undefined) return;
    if (ageMs > welcomeMaxAgeMs(guid, rules)) return passOver("too-old");
    const { id } = await effects.sendText("welcome", message, { isRemembered: true });
    log.info("welcomed new members", { appId: event.head.appId, group: guid, messageId: id });
  },
);
