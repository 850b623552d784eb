import type { LogLine } from "./log-line.ts";

/** Reads all logs from a moment on. */
export type ReadFrom = (startMs: number) => Promise<readonly LogLine[]>;

/** How long a line may take to be found by an ordinary look: it is asked for again and again meanwhile. */
const overlapMs = 20_000;
/** Now and then a look goes further back, for lines that came very late. */
const sweepEveryMs = 30_000;
const sweepMs = 300_000;

/**
 * Makes what gives the lines that are new since the last look, by time. CloudWatch finds a line some seconds after it was
 * written, and not in order: each look begins before the last one's end, and what was given already is known by its id. A line
 * that takes more than five minutes is not seen.
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
    // Between two looks may lie a long read, or a closed lid.
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
