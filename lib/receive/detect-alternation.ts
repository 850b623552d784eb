/**
 * Detects two names that alternate for the same key within an hour, and returns the other one. A handover (A,
 * then only B) is not reported.
 */
export type DetectAlternation = (what: string, name: string) => string | undefined;

/** Sightings within this time belong to the same settings, in milliseconds. */
const sameSettingsMs = 3_600_000;
/** Limits memory: keys and names may be invented by senders. */
const mostThings = 500;
const mostNames = 5;
const longestName = 100;

/** Keeps the memory of one process. */
export function createDetectAlternation(now: () => number): DetectAlternation {
  const sightings = new Map<string, Sightings>();

  return (what, name) => {
    const shown = name.slice(0, longestName);
    const known = sightings.get(what);
    if (known === undefined) {
      if (sightings.size >= mostThings) sightings.clear();
      sightings.set(what, { latest: shown, seenAt: new Map([[shown, now()]]) });
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

interface Sightings {
  latest: string;
  /** When each name was last seen; the latest is last. */
  readonly seenAt: Map<string, number>;
}
