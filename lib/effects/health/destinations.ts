import { ChatUnreachableError } from "../../chat/errors.ts";
import { RequestFailedError, RequestNotAllowedError } from "../http/outside-errors.ts";
import { admit, type Counts, type DestinationState, probePauseMs, unknownDestination } from "./breaker.ts";
import { blame, DestinationClosedError, isFinalRefusal, isOutage } from "./destination.ts";
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

export function createDestinations(
  appId: string,
  known: HealthRecord["destinations"],
  store: HealthStore,
  now: () => number,
) {
  const states = new Map(known);
  const unwritten = new Map<string, number>();
  const stateOf = (destination: string) => states.get(destination) ?? unknownDestination;

  const pass = async (destination: string, scope: RequestScope): Promise<void> => {
    if (scope.probes.has(destination)) return;
    const admission = admit(stateOf(destination), now());
    if (admission.kind === "go") return;
    const isForThoseThatWait =
      scope.isFresh === true && admission.kind === "probe" && now() < admission.probeAt + probePauseMs;
    if (admission.kind === "closed" || isForThoseThatWait) {
      const retryAfterMs = admission.kind === "closed" ? admission.retryAfterMs : 0;
      throw new DestinationClosedError(appId, destination, retryAfterMs);
    }
    const isMine = await store.claimProbe(appId, destination, admission.probeAt, now());
    states.set(destination, { ...stateOf(destination), probeAt: now() + probePauseMs });
    if (!isMine) throw new DestinationClosedError(appId, destination, probePauseMs);
    scope.probes.add(destination);
  };

  const noteOk = (destination: string): void => {
    unwritten.set(destination, (unwritten.get(destination) ?? 0) + 1);
  };
  const writeOk = async (destination: string): Promise<void> => {
    const count = unwritten.get(destination) ?? 0;
    if (count === 0) return;
    unwritten.delete(destination);
    const { ok, bad } = stateOf(destination);
    states.set(destination, { ...unknownDestination, ok: ok + count, bad });
    await store.noteOk(appId, destination, count).catch(ignore);
  };
  const noteAnswer = async (destination: string, scope: RequestScope): Promise<void> => {
    scope.waitsFor.delete(destination);
    noteOk(destination);
    if (isAwaited(stateOf(destination))) await writeOk(destination);
  };

  return {
    /** Counts the result; sends nothing to a destination known to be unhealthy. */
    watched: async <T>(
      scope: RequestScope,
      destination: string,
      ownDeadlineMs: number | undefined,
      send: (limits: Limits) => Promise<T>,
    ): Promise<T> => {
      scope.assertAlive();
      if (scope.isHeldBack === true) await pass(deadLettering, scope);
      await pass(destination, scope);
      const { sinceMs } = stateOf(destination);
      // After this long without an answer, one request at a time.
      const isInDoubt = sinceMs !== undefined && (scope.isFresh === true || now() - sinceMs > probePauseMs);
      const isProbe = scope.probes.size > 0 || isInDoubt;
      const deadlineMs = Math.min(ownDeadlineMs ?? Number.POSITIVE_INFINITY, scope.deadlineMs);
      const hasFullTime = now() + fullTimeMs <= deadlineMs;
      scope.waitsFor.add(destination);
      try {
        const sent = await send({ deadlineMs, isProbe });
        await noteAnswer(destination, scope);
        return sent;
      } catch (error) {
        // The destination got no request: the event's remaining time is not its fault.
        if (error instanceof RequestNotAllowedError) scope.waitsFor.delete(destination);
        if (isFinalRefusal(error)) await noteAnswer(destination, scope);
        if (isOutage(error)) {
          blame(error, destination);
          if (hasFullTime || !isOwnHaste(error)) {
            const state = await store.noteBad(appId, destination, scope.lane, now()).catch(ignore);
            if (state !== undefined) states.set(destination, state);
          }
        }
        throw error;
      }
    },
    noteOk,
    countsOf: (destination: string): Counts => {
      const { ok, bad } = stateOf(destination);
      return { ok: ok + (unwritten.get(destination) ?? 0), bad };
    },
    stateOf,
    open: async (destination: string, probeAt: number): Promise<void> => {
      await store.open(appId, destination, probeAt);
      states.set(destination, { ...stateOf(destination), probeAt });
    },
    flush: async (isAll: boolean): Promise<void> => {
      for (const destination of [...unwritten.keys()]) {
        if (isAll || isAwaited(stateOf(destination))) await writeOk(destination);
      }
    },
  };
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
