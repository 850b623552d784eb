export interface DeadLetterCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly lane: string;
  readonly count: number;
}

const minuteMs = 60_000;
const maxPerMinute = 20;
/** Failures of one busy conversation are no sign of a larger problem; failures of three are. */
const maxOfOneLane = 10;

export function areTooMany(deadLetters: readonly DeadLetterCount[], nowMs: number): boolean {
  const minute = minuteOf(nowMs);
  const countOf = (wanted: number) =>
    deadLetters
      .filter((one) => one.minute === wanted)
      .reduce((sum, { count }) => sum + Math.min(count, maxOfOneLane), 0);
  // Adds the previous minute's part of the sliding minute.
  const before = countOf(minute - 1) * (1 - (nowMs % minuteMs) / minuteMs);
  return countOf(minute) + before > maxPerMinute;
}

export function forgettable(
  deadLetters: readonly DeadLetterCount[],
  nowMs: number,
): readonly DeadLetterCount[] {
  return deadLetters.filter(({ minute }) => minute < minuteOf(nowMs) - 1);
}

export function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}
