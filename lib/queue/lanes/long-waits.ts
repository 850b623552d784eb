import type { Count } from "../../base/count-metric.ts";

const minuteMs = 60_000;
const longMs = 60 * minuteMs;

/** Called for what still waits, and since when. */
export type NoteWait = (appId: string, sinceMs: number) => void;

/**
 * Counts waits of more than an hour, for an alarm: the age of a queue does not show those that have no
 * message, or one that was received repeatedly. Once a minute per app. Keeps each app id in memory.
 */
export function createNoteWait({
  count,
  now,
}: {
  readonly count: Count;
  readonly now: () => number;
}): NoteWait {
  const countedIn = new Map<string, number>();
  return (appId, sinceMs) => {
    const minute = Math.floor(now() / minuteMs);
    if (!(now() > sinceMs + longMs) || countedIn.get(appId) === minute) return;
    countedIn.set(appId, minute);
    count("LanesWaitLong", { appId });
  };
}
