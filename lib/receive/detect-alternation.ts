/**
 * Returns the other of two names that alternate for one key within an hour. A handover (A, then only B) is
 * not reported.
 */
export type DetectAlternation = (key: string, name: string) => string | undefined;

const alternationMs = 3_600_000;
/** Senders may invent keys and names. */
const mostKeys = 500;
const mostNames = 5;
const longestName = 100;

export function createDetectAlternation(now: () => number): DetectAlternation {
  const sightings = new Map<string, Sightings>();

  return (key, name) => {
    const shown = name.slice(0, longestName);
    const known = sightings.get(key) ?? { latest: shown, seenAt: new Map<string, number>() };
    if (sightings.size >= mostKeys && !sightings.has(key)) sightings.clear();
    sightings.set(key, known);
    const { latest, seenAt } = known;
    const before = seenAt.get(shown);
    known.latest = shown;
    seenAt.delete(shown);
    seenAt.set(shown, now());
    const [oldest] = seenAt.keys();
    if (seenAt.size > mostNames && oldest !== undefined) seenAt.delete(oldest);
    return latest !== shown && before !== undefined && now() - before < alternationMs ? latest : undefined;
  };
}

interface Sightings {
  latest: string;
  readonly seenAt: Map<string, number>;
}
