import { checkSettings } from "../../handle/check-trigger.ts";
import { onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import { decideWelcome, welcomeMaxAgeMs } from "./decide-welcome.ts";
import type { WelcomeRules } from "./welcome-rules.ts";

/**
 * Creates the trigger that welcomes new members of a group. Never throws by itself: invalid rules fail their
 * events.
 */
export function createWelcome(settings: SettingsSource<WelcomeRules>): Trigger {
  checkSettings("createWelcome", settings);
  return onTrigger(
    ["group_member_joined", "group_member_added"],
    { settings },
    async ({ event, effects, explain, log, ageMs, passOver, settings: rules }) => {
      const { guid } = event.group;
      const message = decideWelcome({ guid, members: event.members }, rules);
      if (message === undefined)
        return explain(`config/welcome.yml welcomes nobody of this event in the group ${guid}`);
      if (ageMs > welcomeMaxAgeMs(guid, rules)) return passOver("too-old");
      const { id } = await effects.sendText("welcome", message, { isRemembered: true });
      log.info("welcomed new members", { appId: event.head.appId, group: guid, messageId: id });
    },
  );
}
