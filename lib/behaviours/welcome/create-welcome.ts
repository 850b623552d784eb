import { durationMs } from "../../base/config-fields.ts";
import { listSome } from "../../base/names.ts";
import type { TextMessage } from "../../effects/messages/send-text.ts";
import { checkSettings, onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import type { WelcomeRules } from "./welcome-rules.ts";

/** Welcomes new members of a group. Never throws by itself: invalid rules fail their events. */
export function createWelcome(settings: SettingsSource<WelcomeRules>): Trigger {
  checkSettings("createWelcome", settings);
  return onTrigger(
    ["group_member_joined", "group_member_added"],
    { settings },
    async ({ event, effects, explain, log, ageMs, passOver, settings: rules }) => {
      const { guid } = event.group;
      const message = decideWelcome({ guid, members: event.members }, rules);
      if (message === undefined)
        return explain(`config/welcome.yml welcomes no member of this event in the group ${guid}`);
      const maxAgeMs = welcomeMaxAgeMs(guid, rules);
      if (ageMs > maxAgeMs) return passOver("too-old", maxAgeMs);
      const { id } = await effects.sendText("welcome", message, { isRemembered: true });
      log.info("welcomed new members", { appId: event.head.appId, group: guid, messageId: id });
    },
  );
}

interface Arrival {
  readonly guid: string;
  readonly members: readonly { readonly uid: string; readonly name?: string | undefined }[];
}

/** The sender is not welcomed. */
export function decideWelcome({ guid, members }: Arrival, { groups }: WelcomeRules): TextMessage | undefined {
  const rule = groups.find(({ group }) => group === guid);
  const newcomers = members.filter(({ uid }) => uid !== rule?.as);
  if (rule === undefined || newcomers.length === 0) return undefined;
  const text = rule.text.replaceAll("{names}", () => namesOf(newcomers));
  return { receiver: guid, receiverType: "group", onBehalfOf: rule.as, text };
}

/** Counts from joining. config/welcome.yml can override it. */
const defaultMaxAge = "1h";

/** Counts from joining, in milliseconds. */
function welcomeMaxAgeMs(guid: string, { groups, maxAge = defaultMaxAge }: WelcomeRules) {
  return durationMs(groups.find(({ group }) => group === guid)?.maxAge ?? maxAge);
}

/** Further names are only counted: one event may add a hundred users. */
const maxNames = 5;
const maxNameCharacters = 50;

function namesOf(newcomers: Arrival["members"]) {
  const names = newcomers.map(({ uid, name }) => plain(name ?? "") || uid);
  return listSome(names, maxNames);
}

/**
 * Removes mentions (`<@uid:…>`, docs/internals/platform/events.md#mentions), control and direction marks, and
 * prevents links: users choose their names, and the host would recommend the address. Returns nothing for a
 * whole address.
 */
function plain(name: string) {
  const shown = name
    .replace(/[<>\s]+/g, " ")
    .slice(0, maxNameCharacters)
    .replace(hiddenOrHalf, "")
    .trim();
  const bare = shown.replace(joiners, "");
  if (bare === "" || /:\/\/|www\./i.test(bare)) return "";
  // A blank keeps "chat.example" from becoming a link, and "J.Smith" legible.
  return shown.replace(/(?<=[\p{L}\p{N}][\u200c\u200d]*\.)(?=[\u200c\u200d]*\p{L}{2})/gu, " ");
}

/** Emoji, Persian and Indian names need joiners. */
const joiners = /[\u200c\u200d]/g;
const hiddenOrHalf = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;
