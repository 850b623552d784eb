import type { TracedEvent } from "./trace-lines.ts";

export const verdicts = [
  "handled",
  "dead",
  "quarantined",
  "parked",
  "under-way",
  "never-received",
  "unclear",
] as const;

export type Verdict = (typeof verdicts)[number];

export interface Judging {
  readonly sentAtMs: number | undefined;
  readonly startMs: number;
  readonly nowMs: number;
  readonly missing: string[];
  counts(): Promise<{ readonly waiting: number; readonly taken: number }>;
}

/** The events queue cannot be read without receiving its messages. Adds what remains unknown to `missing`. */
export async function judgeMissing(
  { steps, isBuried, deliveryKey }: TracedEvent,
  { sentAtMs, startMs, nowMs, missing, counts }: Judging,
): Promise<Verdict> {
  if (isBuried) {
    missing.push(
      `${deliveryKey}: it was dead-lettered, and is no longer there: replayed, dropped, or older than the queue keeps it`,
    );
    return "dead";
  }
  const { waiting, taken } = await counts();
  if (waiting + taken > 0) {
    missing.push(
      `${deliveryKey}: whether it is among the about ${waiting + taken} events that wait in the queue or are being handled`,
    );
    return "under-way";
  }
  if (steps.length > 0) {
    missing.push(`${deliveryKey}: what happened after its last line; nothing waits in the queue`);
    return "unclear";
  }
  if (sentAtMs === undefined || sentAtMs < startMs) {
    missing.push(
      `${deliveryKey}: no line since ${new Date(startMs).toISOString()} is about it; lines are kept for 30 days, and LOG_LEVEL above INFO writes no lines of successes`,
    );
    return "unclear";
  }
  if (nowMs - sentAtMs < settlingMs) return "under-way";
  missing.push(
    `${deliveryKey}: why it never arrived; see the webhook (doctor) and the receiver's log (logs --function webhook). With LOG_LEVEL above INFO it may have been handled without a line`,
  );
  return "never-received";
}

/** The platform's retries and the logs' own delay. */
const settlingMs = 60_000;
