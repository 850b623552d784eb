export interface DestinationState {
  /** Answered requests. `ok` and `bad` only grow. */
  readonly ok: number;
  readonly bad: number;
  /** Lanes for which it failed since its last answer, at most five. */
  readonly streakLanes: readonly string[];
  /** Set while the breaker is open. */
  readonly probeAt: number | undefined;
  /** The first failure since its last answer. */
  readonly sinceMs?: number | undefined;
  /** The first `probeAt`, kept for the breaker of dead-lettering alone. */
  readonly openedMs?: number | undefined;
}

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

/** Failures in this many lanes without a success open a breaker. */
export const openingStreak = 5;

export const probePauseMs = 30_000;

export type Admission =
  | { readonly kind: "go" }
  | { readonly kind: "probe"; readonly probeAt: number }
  | { readonly kind: "closed"; readonly retryAfterMs: number };

export function admit({ probeAt }: DestinationState, nowMs: number): Admission {
  if (probeAt === undefined) return { kind: "go" };
  return nowMs < probeAt ? { kind: "closed", retryAfterMs: probeAt - nowMs } : { kind: "probe", probeAt };
}

export type Others = "healthy" | "unhealthy" | "unknown";

/** In a brown-out, several requests in a row succeed by chance. */
const fewestOthers = 5;

/** The client tries a read four times: if every second request fails, one read in sixteen does. */
const failingShare = 0.05;

export function judgeOthers(atFailure: Counts, now: Counts): Others {
  const bad = now.bad - atFailure.bad;
  const all = now.ok - atFailure.ok + bad;
  if (all < fewestOthers) return "unknown";
  return bad <= failingShare * all ? "healthy" : "unhealthy";
}
