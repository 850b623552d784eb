import type { LogLine } from "./log-line.ts";

export type ReadFrom = (startMs: number) => Promise<readonly LogLine[]>;

/** For lines that CloudWatch finds late. */
const overlapMs = 20_000;
/** For very late lines. */
const sweepEveryMs = 30_000;
const sweepMs = 300_000;

/**
 * Returns the new lines since the last look, by time. CloudWatch finds a line some seconds late and out of
 * order: looks overlap, and ids deduplicate. A line that takes more than five minutes is missed.
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
    // A long read or a closed laptop may lie between.
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
