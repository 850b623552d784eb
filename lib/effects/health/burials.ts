/** How many events of a lane were buried in a minute. */
export interface Burials {
  /** Since 1970. */
  readonly minute: number;
  readonly lane: string;
  readonly count: number;
}

const minuteMs = 60_000;
const maxPerMinute = 20;
/** One conversation that is refused for good, however busy, is not the sign of something larger: three would be. */
const maxOfOneLane = 10;

/** Tells whether so many events of an app were buried within a minute that something larger must be wrong (pure). */
export function areTooMany(burials: readonly Burials[], nowMs: number): boolean {
  const minute = minuteOf(nowMs);
  const countOf = (wanted: number) =>
    burials
      .filter((one) => one.minute === wanted)
      .reduce((sum, { count }) => sum + Math.min(count, maxOfOneLane), 0);
  // What is left in the sliding minute of the one before counts too.
  const before = countOf(minute - 1) * (1 - (nowMs % minuteMs) / minuteMs);
  return countOf(minute) + before > maxPerMinute;
}

/** Gives those that count no more (pure). */
export function forgettable(burials: readonly Burials[], nowMs: number): readonly Burials[] {
  return burials.filter(({ minute }) => minute < minuteOf(nowMs) - 1);
}

/** The minute of a moment, since 1970. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}
