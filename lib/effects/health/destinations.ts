import { ChatUnreachableError } from "../../chat/errors.ts";
import { RequestFailedError, RequestNotAllowedError } from "../http/outside-errors.ts";
import { admit, type Counts, type DestinationState, probePauseMs, unknownDestination } from "./breaker.ts";
import { blame, DestinationClosedError, isFinalRefusal, isOutage, isUserLimit } from "./destination.ts";
import type { HealthRecord, HealthStore } from "./health-store.ts";

export interface RequestScope {
  readonly lane: string;
  /** Milliseconds since 1970: nothing starts or continues after it. */
  readonly deadlineMs: number;
  readonly assertAlive: () => void;
  /**
   * The first to meet the outage, while other triggers wait: one try at a destination that just failed for
   * another lane. Parked events probe an open breaker; if none does for 30 s, as in shadow or if a handler
   * catches the failure, this event does.
   */
  readonly isFresh?: boolean | undefined;
  /** Held back from the dead-letter queue: its requests wait until it may probe. */
  readonly isHeldBack?: boolean | undefined;
  /** Only this event may try them although their breaker is open. */
  readonly probes: Set<string>;
  /** Destinations of requests that are pending, or failed without the event's fault. */
  readonly waitsFor: Set<string>;
}

/** Not a host: stands for dead-lettering, which stops at too many events in a minute. */
export const deadLettering = "burials";

const fullTimeMs = 10_000;

interface Limits {
  readonly deadlineMs: number;
  readonly isProbe: boolean;
}

interface Known {
  readonly appId: string;
  readonly store: HealthStore;
  readonly now: () => number;
  readonly states: Map<string, DestinationState>;
  /** Successes. */
  readonly unwritten: Map<string, number>;
}

export function createDestinations(
  appId: string,
  destinations: HealthRecord["destinations"],
  store: HealthStore,
  now: () => number,
) {
  const known: Known = { appId, store, now, states: new Map(destinations), unwritten: new Map() };
  return {
    /** Counts the result; sends nothing to a destination known to be unhealthy. */
    watched: <T>(
      scope: RequestScope,
      destination: string,
      ownDeadlineMs: number | undefined,
      send: (limits: Limits) => Promise<T>,
    ) => watch(scope, destination, ownDeadlineMs, send, known),
    noteOk: (destination: string) => noteOk(destination, known),
    countsOf: (destination: string): Counts => {
      const { ok, bad } = stateOf(destination, known);
      return { ok: ok + (known.unwritten.get(destination) ?? 0), bad };
    },
    stateOf: (destination: string) => stateOf(destination, known),
    open: async (destination: string, probeAt: number): Promise<void> => {
      await store.open(appId, destination, probeAt);
      known.states.set(destination, { ...stateOf(destination, known), probeAt });
    },
    flush: async (isAll: boolean): Promise<void> => {
      for (const destination of [...known.unwritten.keys()]) {
        if (isAll || isAwaited(stateOf(destination, known))) await writeOk(destination, known);
      }
    },
  };
}

async function watch<T>(
  scope: RequestScope,
  destination: string,
  ownDeadlineMs: number | undefined,
  send: (limits: Limits) => Promise<T>,
  known: Known,
): Promise<T> {
  const { now } = known;
  scope.assertAlive();
  if (scope.isHeldBack === true) await pass(deadLettering, scope, known);
  await pass(destination, scope, known);
  const { sinceMs } = stateOf(destination, known);
  // After this long without an answer, one request at a time.
  const isInDoubt = sinceMs !== undefined && (scope.isFresh === true || now() - sinceMs > probePauseMs);
  const isProbe = scope.probes.size > 0 || isInDoubt;
  const deadlineMs = Math.min(ownDeadlineMs ?? Number.POSITIVE_INFINITY, scope.deadlineMs);
  const hasFullTime = now() + fullTimeMs <= deadlineMs;
  scope.waitsFor.add(destination);
  try {
    const sent = await send({ deadlineMs, isProbe });
    await noteAnswer(destination, scope, known);
    return sent;
  } catch (error) {
    await noteError(error, destination, scope, hasFullTime, known);
    throw error;
  }
}

async function pass(destination: string, scope: RequestScope, known: Known): Promise<void> {
  if (scope.probes.has(destination)) return;
  const { appId, store, now, states } = known;
  const admission = admit(stateOf(destination, known), now());
  if (admission.kind === "go") return;
  const isForThoseThatWait =
    scope.isFresh === true && admission.kind === "probe" && now() < admission.probeAt + probePauseMs;
  if (admission.kind === "closed" || isForThoseThatWait) {
    const retryAfterMs = admission.kind === "closed" ? admission.retryAfterMs : 0;
    throw new DestinationClosedError(appId, destination, retryAfterMs);
  }
  const isMine = await store.claimProbe(appId, destination, admission.probeAt, now());
  states.set(destination, { ...stateOf(destination, known), probeAt: now() + probePauseMs });
  if (!isMine) throw new DestinationClosedError(appId, destination, probePauseMs);
  scope.probes.add(destination);
}

async function noteError(
  error: unknown,
  destination: string,
  scope: RequestScope,
  hasFullTime: boolean,
  known: Known,
): Promise<void> {
  const { appId, store, now, states } = known;
  // The destination got no request: the event's remaining time is not its fault.
  if (error instanceof RequestNotAllowedError) scope.waitsFor.delete(destination);
  if (isFinalRefusal(error) || isUserLimit(error)) await noteAnswer(destination, scope, known);
  if (!isOutage(error)) return;
  blame(error, destination);
  if (!hasFullTime && isOwnHaste(error)) return;
  const state = await store.noteBad(appId, destination, scope.lane, now()).catch(ignore);
  if (state !== undefined) states.set(destination, state);
}

async function noteAnswer(destination: string, scope: RequestScope, known: Known): Promise<void> {
  scope.waitsFor.delete(destination);
  noteOk(destination, known);
  if (isAwaited(stateOf(destination, known))) await writeOk(destination, known);
}

function noteOk(destination: string, { unwritten }: Known): void {
  unwritten.set(destination, (unwritten.get(destination) ?? 0) + 1);
}

async function writeOk(destination: string, known: Known): Promise<void> {
  const { appId, store, states, unwritten } = known;
  const count = unwritten.get(destination) ?? 0;
  if (count === 0) return;
  unwritten.delete(destination);
  const { ok, bad } = stateOf(destination, known);
  states.set(destination, { ...unknownDestination, ok: ok + count, bad });
  await store.noteOk(appId, destination, count).catch(ignore);
}

function stateOf(destination: string, { states }: Known): DestinationState {
  return states.get(destination) ?? unknownDestination;
}

/** Other lanes wait for a success, so it is written before the invocation's end. */
function isAwaited({ streakLanes, probeAt, sinceMs }: DestinationState): boolean {
  return streakLanes.length > 0 || probeAt !== undefined || sinceMs !== undefined;
}

function isOwnHaste(error: unknown): boolean {
  if (error instanceof RequestFailedError) return error.reason === "TIMEOUT";
  return error instanceof ChatUnreachableError && (error.reason === "TIMEOUT" || error.phase === "wait");
}

function ignore(): undefined {
  return undefined;
}
