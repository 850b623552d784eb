/**
 * Notes who told of something. Gives who else did, if the two of them tell by turns: who takes somebody's place is not
 * followed by him again.
 */
export type NoteTeller = (what: string, name: string) => string | undefined;

/** What was seen within this time belongs to the same settings, in milliseconds. */
const sameSettingsMs = 3_600_000;
/** What the platform does not have must not fill the memory, and neither must names. */
const mostThings = 500;
const mostNames = 5;
const longestName = 100;

/** Makes a memory of one process. */
export function createNoteTeller(now: () => number): NoteTeller {
  const tellers = new Map<string, Tellers>();

  return (what, name) => {
    const shown = name.slice(0, longestName);
    const known = tellers.get(what);
    if (known === undefined) {
      if (tellers.size >= mostThings) tellers.clear();
      tellers.set(what, { latest: shown, seenAt: new Map([[shown, now()]]) });
      return undefined;
    }
    const { latest, seenAt } = known;
    if (latest === shown) {
      seenAt.set(shown, now());
      return undefined;
    }
    const before = seenAt.get(shown);
    known.latest = shown;
    seenAt.delete(shown);
    seenAt.set(shown, now());
    const [oldest] = seenAt.keys();
    if (seenAt.size > mostNames && oldest !== undefined) seenAt.delete(oldest);
    return before !== undefined && now() - before < sameSettingsMs ? latest : undefined;
  };
}

/** Who tells of one thing. */
interface Tellers {
  latest: string;
  /** When each name was seen last; the latest stands last. */
  readonly seenAt: Map<string, number>;
}
