import type { LogLine } from "./log-line.ts";

/** Reads all logs from a time on. */
export type ReadFrom = (startMs: number) => Promise<readonly LogLine[]>;

/** How far each ordinary look goes back, for lines that CloudWatch finds late. */
const overlapMs = 20_000;
/** How often a look goes further back, for very late lines. */
const sweepEveryMs = 30_000;
const sweepMs = 300_000;

/**
 * Creates the function that returns the new lines since the last look, in order of time. CloudWatch finds a
 * line some seconds after it was written, and out of order: looks overlap, and lines are deduplicated by id.
 * A line that takes more than five minutes is missed.
 */
export function createFollower(
  readFrom: ReadFrom,
  { startMs, now }: { readonly startMs: number; readonly now: () => number },
): () => Promise<readonly LogLine[]> {
  const given = new Map<string, number>();
  let previousMs: number | undefined;
  let sweptAt = now();
  return async () => {
    const lookedAt = now();
    const isSweep = lookedAt - sweptAt >= sweepEveryMs;
    const backMs = isSweep ? sweepMs : overlapMs;
    // A long read or a closed laptop may lie between two looks.
    const fromMs = previousMs === undefined ? startMs : Math.min(lookedAt - backMs, previousMs - overlapMs);
    const lines = await readFrom(Math.max(startMs, fromMs));
    previousMs = lookedAt;
    if (isSweep) sweptAt = lookedAt;
    const fresh = lines.filter(({ source, eventId }) => !given.has(`${source} ${eventId}`));
    for (const { source, eventId, atMs } of fresh) given.set(`${source} ${eventId}`, atMs);
    for (const [id, atMs] of given) if (atMs < lookedAt - 2 * sweepMs) given.delete(id);
    return fresh.toSorted((one, other) => one.atMs - other.atMs);
  };
}
