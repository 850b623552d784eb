/** What is known of one destination of an app's requests: a host, for reading or for writing. */
export interface DestinationState {
  /** Requests that it answered; only ever grows. */
  readonly ok: number;
  /** Requests that it failed; only ever grows. */
  readonly bad: number;
  /** The lanes that it failed since it last answered, at most five. */
  readonly streakLanes: readonly string[];
  /** Present while the breaker is open: the moment, in milliseconds since 1970, from which one probe may be sent. */
  readonly probeAt: number | undefined;
  /** Present while it answers nobody: milliseconds since 1970, when it failed first since it last answered. */
  readonly sinceMs?: number | undefined;
}

/** The counters of a destination at the moment of a failure. */
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

/** Failures of so many different lanes, and no success between them, open a breaker. */
export const openingStreak = 5;

/** While a breaker is open, one request in this time finds out whether the destination is well again. */
export const probePauseMs = 30_000;

/** What a request may do: go, find out as the only one whether the destination is well again, or not even begin. */
export type Admission =
  | { readonly kind: "go" }
  | { readonly kind: "probe"; readonly probeAt: number }
  | { readonly kind: "closed"; readonly retryAfterMs: number };

/** Decides whether a request may go to a destination (pure). */
export function admit({ probeAt }: DestinationState, nowMs: number): Admission {
  if (probeAt === undefined) return { kind: "go" };
  return nowMs < probeAt ? { kind: "closed", retryAfterMs: probeAt - nowMs } : { kind: "probe", probeAt };
}

/** What has become of the others' requests since an event failed at a destination. */
export type Others =
  /** They were answered, so the failure was the event's own. */
  | "well"
  /** They fail too. */
  | "ill"
  /** Too few were made to tell. */
  | "unknown";

/** In a brown-out some requests in a row succeed by chance, so nothing is concluded from fewer. */
const fewestOthers = 5;

/**
 * Above this share of failures among the others' requests, the destination is ill. A client repeats a read three times, so that
 * a brown-out which fails every second request fails one read in sixteen.
 */
const illShare = 0.05;

/** Tells whether a destination was well for others since an event failed there (pure). */
export function judgeOthers(atFailure: Counts, now: Counts): Others {
  const bad = now.bad - atFailure.bad;
  const all = now.ok - atFailure.ok + bad;
  if (all < fewestOthers) return "unknown";
  return bad <= illShare * all ? "well" : "ill";
}
