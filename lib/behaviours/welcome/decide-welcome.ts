import { durationMs } from "../../base/duration.ts";
import type { TextMessage } from "../../effects/text-message.ts";
import type { WelcomeRules } from "./welcome-rules.ts";

/** Who came into which group. */
export interface Arrival {
  readonly guid: string;
  readonly members: readonly { readonly uid: string; readonly name?: string | undefined }[];
}

/** Decides what to say to new members, if anything: the first rule for the group. Pure; nobody welcomes themselves. */
export function decideWelcome({ guid, members }: Arrival, { groups }: WelcomeRules): TextMessage | undefined {
  const rule = groups.find(({ group }) => group === guid);
  const newcomers = members.filter(({ uid }) => uid !== rule?.as);
  if (rule === undefined || newcomers.length === 0) return undefined;
  const text = rule.text.replaceAll("{names}", () => namesOf(newcomers));
  return { receiver: guid, receiverType: "group", onBehalfOf: rule.as, text };
}

/** Who came longer ago is not welcomed any more, unless config/welcome.yml says so. */
const defaultMaxAge = "1h";

/** Gives how long ago somebody may have come into a group to be welcomed, in milliseconds. */
export function welcomeMaxAgeMs(guid: string, { groups, maxAge = defaultMaxAge }: WelcomeRules): number {
  return durationMs(groups.find(({ group }) => group === guid)?.maxAge ?? maxAge);
}

/** More names than this are counted: a hundred people may be added at once. */
const maxNames = 5;
const maxNameCharacters = 50;

function namesOf(newcomers: Arrival["members"]): string {
  const names = newcomers.slice(0, maxNames).map(({ uid, name }) => plain(name ?? "") || uid);
  const others = newcomers.length - names.length;
  return others === 0 ? names.join(", ") : `${names.join(", ")} and ${others} more`;
}

/**
 * A name is its owner's choice: it must not mention others, as `<@uid:…>` in a text does
 * (docs/platform/events.md#mentions).
 */
function plain(name: string): string {
  return name
    .replace(/[<>\s]+/g, " ")
    .trim()
    .slice(0, maxNameCharacters);
}
