export interface DestinationState {
  /** Answered requests. `ok` and `bad` only grow. */
  readonly ok: number;
  readonly bad: number;
  /** Lanes for which it failed since its last answer, at most five. */
  readonly streakLanes: readonly string[];
  /** Set while the breaker is open. */
  readonly probeAt: number | undefined;
  /** Of a trigger. */
  readonly lastMs?: number | undefined;
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

type Admission =
  | { readonly kind: "go" }
  | { readonly kind: "probe"; readonly probeAt: number }
  | { readonly kind: "closed"; readonly retryAfterMs: number };

export function admit({ probeAt }: DestinationState, nowMs: number): Admission {
  if (probeAt === undefined) return { kind: "go" };
  return nowMs < probeAt ? { kind: "closed", retryAfterMs: probeAt - nowMs } : { kind: "probe", probeAt };
}

type Others = "healthy" | "unhealthy" | "unknown";

/** In a brown-out, several requests in a row succeed by chance. */
const fewestOthers = 5;

/** The client tries a read four times: if every second request fails, one read in sixteen does. */
const failingShare = 0.05;

export function judgeOthers(atFailure: Counts, now: Counts): Others {
  // The counts of a destination that was forgotten meanwhile began again.
  if (now.ok < atFailure.ok || now.bad < atFailure.bad) return judgeOthers({ ok: 0, bad: 0 }, now);
  const bad = now.bad - atFailure.bad;
  const all = now.ok - atFailure.ok + bad;
  if (all < fewestOthers) return "unknown";
  return bad <= failingShare * all ? "healthy" : "unhealthy";
}

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
  return deadLetters.filter(({ minute }) => minute < minuteOf(nowMs) - 1).slice(0, 100);
}

export function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}

/** Reads may work while writes fail. */
export function destinationOf(host: string, method: string): string {
  return `${host} ${method === "GET" ? "read" : "write"}`;
}

/** A trigger that hangs or crashes counts as a host that does not answer. */
export function destinationOfTrigger(name: string): string {
  return `trigger ${name}`;
}

const heldBack = "held-back ";

/** For a trigger whose events are held back from the dead-letter queue. */
export function heldBackOf(trigger: string): string {
  return heldBack + destinationOfTrigger(trigger);
}

export function isHeldBack(destination: string): boolean {
  return triggerOf(destination) !== undefined && destination.startsWith(heldBack);
}

/** @returns undefined for a host */
export function triggerOf(destination: string): string | undefined {
  return /^(?:held-back )?trigger (.+)$/s.exec(destination)?.[1];
}

/** Not a host: stands for dead-lettering. */
export const deadLettering = "burials";
