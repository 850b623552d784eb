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
  /** Of each thing, when each name was seen last; the latest name stands last. */
  const tellers = new Map<string, Map<string, number>>();

  return (what, name) => {
    const shown = name.slice(0, longestName);
    const known = tellers.get(what) ?? new Map<string, number>();
    if (!tellers.has(what) && tellers.size >= mostThings) tellers.clear();
    tellers.set(what, known);

    const names = [...known.keys()];
    const latest = names.at(-1);
    const seenAt = known.get(shown);
    known.delete(shown);
    known.set(shown, now());
    const [oldest] = names;
    if (known.size > mostNames && oldest !== undefined) known.delete(oldest);
    const isBack = latest !== shown && seenAt !== undefined && now() - seenAt < sameSettingsMs;
    return isBack ? latest : undefined;
  };
}
