import { durationMs } from "../../base/duration.ts";
import type { TextMessage } from "../../effects/messages/sending.ts";
import type { WelcomeRules } from "./welcome-rules.ts";

export interface Arrival {
  readonly guid: string;
  readonly members: readonly { readonly uid: string; readonly name?: string | undefined }[];
}

/** Pure; the sender is not welcomed. */
export function decideWelcome({ guid, members }: Arrival, { groups }: WelcomeRules): TextMessage | undefined {
  const rule = groups.find(({ group }) => group === guid);
  const newcomers = members.filter(({ uid }) => uid !== rule?.as);
  if (rule === undefined || newcomers.length === 0) return undefined;
  const text = rule.text.replaceAll("{names}", () => namesOf(newcomers));
  return { receiver: guid, receiverType: "group", onBehalfOf: rule.as, text };
}

/** Of joining. config/welcome.yml can override it. */
const defaultMaxAge = "1h";

/** Since joining, in milliseconds. */
export function welcomeMaxAgeMs(guid: string, { groups, maxAge = defaultMaxAge }: WelcomeRules): number {
  return durationMs(groups.find(({ group }) => group === guid)?.maxAge ?? maxAge);
}

/** Further names are only counted: one event may add a hundred users. */
const maxNames = 5;
const maxNameCharacters = 50;

function namesOf(newcomers: Arrival["members"]): string {
  const names = newcomers.slice(0, maxNames).map(({ uid, name }) => plain(name ?? "") || uid);
  const others = newcomers.length - names.length;
  return others === 0 ? names.join(", ") : `${names.join(", ")} and ${others} more`;
}

/** Users choose their names: no mentions by `<@uid:…>` (docs/internals/platform/events.md#mentions). */
function plain(name: string): string {
  return name
    .replace(/[<>\s]+/g, " ")
    .trim()
    .slice(0, maxNameCharacters);
}
