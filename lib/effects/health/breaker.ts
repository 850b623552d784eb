/** What is known of one destination of an app's requests: a host, for reads or for writes. */
export interface DestinationState {
  /** Answered requests; only grows. */
  readonly ok: number;
  /** Failed requests; only grows. */
  readonly bad: number;
  /** The lanes for which it failed since its last answer, at most five. */
  readonly streakLanes: readonly string[];
  /** Set while the breaker is open: when the next probe may be sent, in milliseconds since 1970. */
  readonly probeAt: number | undefined;
  /** Set during an outage: its first failure since its last answer, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
}

/** A destination's counters at the time of a failure. */
export interface Counts {
  readonly ok: number;
  readonly bad: number;
}

export const unknownDestination: DestinationState = {
  ok: 0,
  bad: 0,
  streakLanes: [],
  probeAt: undefined,
};

/** Failures for this many different lanes, without a success between them, open a breaker. */
export const openingStreak = 5;

/** While a breaker is open, one request in this time probes the destination. */
export const probePauseMs = 30_000;

export type Admission =
  | { readonly kind: "go" }
  | { readonly kind: "probe"; readonly probeAt: number }
  | { readonly kind: "closed"; readonly retryAfterMs: number };

export function admit({ probeAt }: DestinationState, nowMs: number): Admission {
  if (probeAt === undefined) return { kind: "go" };
  return nowMs < probeAt ? { kind: "closed", retryAfterMs: probeAt - nowMs } : { kind: "probe", probeAt };
}

/** What happened to other events' requests after an event's request failed. */
export type Others =
  /** They succeeded, so the failure is the event's own. */
  | "well"
  /** They fail too. */
  | "ill"
  /** There were too few to decide. */
  | "unknown";

/** In a brown-out several requests in a row succeed by chance. */
const fewestOthers = 5;

/**
 * Above this share of failures, the destination is unhealthy. A client repeats a read three times, so a
 * brown-out that fails every second request fails one read in sixteen.
 */
const failingShare = 0.05;

/** Judges whether a destination worked for other events since an event failed there (pure). */
export function judgeOthers(atFailure: Counts, now: Counts): Others {
  const bad = now.bad - atFailure.bad;
  const all = now.ok - atFailure.ok + bad;
  if (all < fewestOthers) return "unknown";
  return bad <= failingShare * all ? "well" : "ill";
}
