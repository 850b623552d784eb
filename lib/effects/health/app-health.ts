import { ChatUnreachableError } from "../../chat/errors.ts";
import type { Guard } from "../../chat/guard.ts";
import type { PreparedRequest } from "../../chat/prepare-request.ts";
import type { WatchOutside } from "../http/outside.ts";
import { RequestFailedError, RequestNotAllowedError } from "../http/outside-errors.ts";
import type { ShadowSettings } from "../shadow/shadow-settings.ts";
import { admit, type Counts, type DestinationState, probePauseMs, unknownDestination } from "./breaker.ts";
import { areTooMany, forgettable, minuteOf } from "./dead-letter-counts.ts";
import { blame, DestinationClosedError, destinationOf, isFinalRefusal, isOutage } from "./destination.ts";
import type { HealthRecord, HealthStore } from "./health-store.ts";
import { markMs, markStepMs, shareOf } from "./parked-marks.ts";
import { type Pause, type PauseSettings, type PauseTarget, pauseInForce } from "./pause-settings.ts";

/** The parts of an attempt at an event that concern its requests. */
export interface RequestScope {
  readonly lane: string;
  /** Milliseconds since 1970: no request of the event starts or continues after it. */
  readonly deadlineMs: number;
  /** Throws if the event was abandoned: nothing more may be started for it. */
  readonly assertAlive: () => void;
  /**
   * This event is the first to meet the outage, and other triggers wait for its requests. Its requests are
   * tried once at a destination that just failed for another lane. Parked events probe an open breaker; if
   * none probes it for 30 s, as in shadow or if a handler catches the failure, this event does.
   */
  readonly isFresh?: boolean | undefined;
  /**
   * The event was held back from the dead-letter queue: its requests wait until it may probe whether the
   * outage is over.
   */
  readonly isHeldBack?: boolean | undefined;
  /** The destinations that only this event may try although their breaker is open. */
  readonly probes: Set<string>;
  /** The destinations of requests that are pending, or that failed without fault of the event. */
  readonly waitsFor: Set<string>;
}

/** What one invocation knows of an app's health, and what it learns. */
export interface AppHealth {
  /** The shadow settings, read together with the health. */
  readonly shadow: ShadowSettings;
  /**
   * Returns the pause of the app, or the lease of a process that acts for this deployment; undefined while
   * the app is active. At most five seconds old. @throws AwsCallError, PauseSettingError
   */
  pauseOfApp(): Promise<Pause | undefined>;
  pauseOf(target: PauseTarget): Promise<Pause | undefined>;
  /**
   * Returns whether an earlier event may still be unhandled: lanes of the app are parked, or were within the
   * last hour, or a part of it is paused. @throws AwsCallError, PauseSettingError
   */
  mayHandleLate(): Promise<boolean>;
  /** True while successes are counted, because lanes of the app are or were recently parked. */
  readonly isInTrouble: () => boolean;
  /** Records that a lane of the app is parked, so that successes are counted for a while. */
  markTrouble(): Promise<void>;
  /** Returns false if a lane is certainly not parked and the table need not be read (see parked-marks.ts). */
  readonly mayBeParked: (lane: string) => boolean;
  /**
   * Must be called before a lane is parked or kept parked. Writes at most once a day.
   * @throws AwsCallError if the write failed; the lane must then stay as it is
   */
  markParked(lane: string): Promise<void>;
  /** Guards the requests of one event: breakers, time limits, counting. */
  guardOf(scope: RequestScope, hostOf: (service: PreparedRequest["service"]) => string): Guard;
  /** Guards the requests of one event to hosts other than the platform's. */
  watchOf(scope: RequestScope): WatchOutside;
  countsOf(destination: string): Counts;
  /**
   * Returns the outage of a destination that answers no request: its start, and whether the breaker is open.
   */
  outageOf(destination: string): { readonly sinceMs: number; readonly isOpen: boolean } | undefined;
  /** The lanes for which a destination failed since its last answer. */
  streakOf(destination: string): readonly string[];
  /** Counts a dead letter; returns false if there were too many in a minute and this event must wait. */
  mayDeadLetter(lane: string): Promise<boolean>;
  /** Records that an effect succeeded, so that dead-lettering may continue. */
  noteSuccess(): void;
  /** Writes what was learned. A failed write does no harm. */
  flush(): Promise<void>;
}

export interface AppHealthOptions {
  readonly appId: string;
  readonly record: HealthRecord;
  readonly store: HealthStore;
  readonly now: () => number;
  /**
   * The lease under which this process acts for the deployment, and without which it must not. Default: none.
   */
  readonly lease?: string | undefined;
}

/**
 * Pauses are read again after 5 s, so that a pause applies within ten to invocations that began before it.
 */
const pausesFreshMs = 5_000;

/** How long successes are counted after the last parked lane was seen: 1 h. */
const troubleMs = 60 * 60_000;
/** A later end is written only if it is this much later, to save writes. */
const troubleStepMs = 10 * 60_000;

/** For this long after a pause, its lanes are known to be parked again. */
const markedMs = 10 * 60_000;

/** Not a host: stands for dead-lettering, which stops at too many events in a minute. */
const deadLettering = "burials";

export function createAppHealth({ appId, record, store, now, lease }: AppHealthOptions): AppHealth {
  let { troubleUntil } = record;
  let pauses = { readMs: now(), settings: Promise.resolve(record.pauses) };
  const freshPauses = (): Promise<PauseSettings> => {
    if (now() - pauses.readMs > pausesFreshMs) {
      const before = pauses;
      const settings = store.readPauses(appId);
      pauses = { readMs: now(), settings };
      // A failed read is repeated immediately.
      settings.catch(() => {
        pauses = before;
      });
    }
    return pauses.settings;
  };
  const parkedUntil = new Map(record.parkedUntil);
  const states = new Map(record.destinations);
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
    const state = stateOf(destination);
    states.set(destination, {
      ...state,
      ok: state.ok + count,
      streakLanes: [],
      probeAt: undefined,
      sinceMs: undefined,
    });
    await store.noteOk(appId, destination, count);
  };
  /** Other lanes wait for this success, so it is written before the end of the invocation. */
  const isAwaited = ({ streakLanes, probeAt, sinceMs }: DestinationState) =>
    streakLanes.length > 0 || probeAt !== undefined || sinceMs !== undefined;

  /** Sends a request unless the destination is known to be unhealthy, and counts the result. */
  const watched = async <T>(
    scope: RequestScope,
    destination: string,
    ownDeadlineMs: number | undefined,
    send: (limits: { readonly deadlineMs: number; readonly isProbe: boolean }) => Promise<T>,
  ): Promise<T> => {
    scope.assertAlive();
    if (scope.isHeldBack === true) await pass(deadLettering, scope);
    await pass(destination, scope);
    const { sinceMs } = stateOf(destination);
    // A destination that answered nothing for this long gets one request at a time.
    const isInDoubt = sinceMs !== undefined && (scope.isFresh === true || now() - sinceMs > probePauseMs);
    const isProbe = scope.probes.size > 0 || isInDoubt;
    const deadlineMs = Math.min(ownDeadlineMs ?? Number.POSITIVE_INFINITY, scope.deadlineMs);
    const fullTime = now() + fullTimeMs <= deadlineMs;
    scope.waitsFor.add(destination);
    try {
      const sent = await send({ deadlineMs, isProbe });
      scope.waitsFor.delete(destination);
      noteOk(destination);
      if (isAwaited(stateOf(destination))) await writeOk(destination).catch(ignore);
      return sent;
    } catch (error) {
      // The destination got no request: what the event does with its remaining time is not its fault.
      if (error instanceof RequestNotAllowedError) scope.waitsFor.delete(destination);
      if (isFinalRefusal(error)) {
        scope.waitsFor.delete(destination);
        noteOk(destination);
        if (isAwaited(stateOf(destination))) await writeOk(destination).catch(ignore);
      }
      if (isOutage(error)) {
        blame(error, destination);
        if (fullTime || !isOwnHaste(error)) {
          const state = await store.noteBad(appId, destination, scope.lane, now()).catch(ignore);
          if (state !== undefined) states.set(destination, state);
        }
      }
      throw error;
    }
  };

  return {
    shadow: record.shadow,
    pauseOfApp: async () => {
      const settings = await freshPauses();
      const ofApp = pauseInForce(settings, { kind: "app" }, now());
      if (ofApp !== undefined) return ofApp;
      const held = pauseInForce(settings, { kind: "lease" }, now());
      if (lease === undefined || held !== undefined) return held?.id === lease ? undefined : held;
      // The lease has ended: the deployment acts again, and the lease's holder must not.
      return { id: lease, sinceMs: 0, untilMs: 0, by: "nobody" };
    },
    pauseOf: async (target) => pauseInForce(await freshPauses(), target, now()),
    isInTrouble: () => troubleUntil > now(),
    mayHandleLate: async () =>
      troubleUntil > now() ||
      [...(await freshPauses()).values()].some(({ untilMs }) => now() < untilMs + markedMs),
    markTrouble: async () => {
      const until = now() + troubleMs;
      if (until - troubleUntil < troubleStepMs) return;
      await store.markTrouble(appId, until);
      troubleUntil = until;
    },

    mayBeParked: (lane) => (parkedUntil.get(shareOf(lane)) ?? 0) > now(),
    markParked: async (lane) => {
      const share = shareOf(lane);
      const until = now() + markMs;
      if (until - (parkedUntil.get(share) ?? 0) < markStepMs) return;
      await store.markParked(appId, share, until);
      parkedUntil.set(share, until);
    },

    guardOf: (scope, hostOf) => (request, options, send) => {
      const destination = destinationOf(hostOf(request.service), request.method);
      return watched(scope, destination, options.deadlineMs, ({ deadlineMs, isProbe }) =>
        send({ ...options, deadlineMs, ...(isProbe && { maxTries: 1 }) }),
      );
    },
    watchOf: (scope) => (host, method, send) => watched(scope, destinationOf(host, method), undefined, send),

    countsOf: (destination) => {
      const { ok, bad } = stateOf(destination);
      return { ok: ok + (unwritten.get(destination) ?? 0), bad };
    },

    outageOf: (destination) => {
      const { sinceMs, probeAt } = stateOf(destination);
      return sinceMs === undefined ? undefined : { sinceMs, isOpen: probeAt !== undefined };
    },
    streakOf: (destination) => stateOf(destination).streakLanes,

    mayDeadLetter: async (lane) => {
      if (stateOf(deadLettering).probeAt !== undefined) return false;
      const nowMs = now();
      const counted = { minute: minuteOf(nowMs), lane };
      // If the table cannot be reached, no larger problem is visible; the dead letter itself is reported.
      const known = await store
        .noteDeadLetter(appId, counted, forgettable(record.deadLetters, nowMs))
        .catch(() => []);
      if (!areTooMany(known, nowMs)) return true;
      const probeAt = nowMs + probePauseMs;
      await store.open(appId, deadLettering, probeAt);
      states.set(deadLettering, { ...stateOf(deadLettering), probeAt });
      return false;
    },

    noteSuccess: () => {
      if (stateOf(deadLettering).probeAt !== undefined) noteOk(deadLettering);
    },

    flush: async () => {
      const isWorthIt = troubleUntil > now();
      for (const destination of [...unwritten.keys()]) {
        if (isWorthIt || isAwaited(stateOf(destination))) await writeOk(destination).catch(ignore);
      }
    },
  };
}

/**
 * The maximum time of one try of a request. If less was left, running out of time says nothing about the
 * destination.
 */
const fullTimeMs = 10_000;

function isOwnHaste(error: unknown): boolean {
  if (error instanceof RequestFailedError) return error.reason === "TIMEOUT";
  return error instanceof ChatUnreachableError && (error.reason === "TIMEOUT" || error.phase === "wait");
}

function ignore(): undefined {
  return undefined;
}
