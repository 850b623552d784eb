import { ChatUnreachableError } from "../../chat/errors.ts";
import type { Guard } from "../../chat/guard.ts";
import type { PreparedRequest } from "../../chat/prepare-request.ts";
import type { WatchOutside } from "../http/outside.ts";
import { RequestFailedError, RequestNotAllowedError } from "../http/outside-errors.ts";
import type { ShadowSettings } from "../shadow/shadow-settings.ts";
import { admit, type Counts, type DestinationState, probePauseMs, unknownDestination } from "./breaker.ts";
import { areTooMany, forgettable, minuteOf } from "./burials.ts";
import { blame, DestinationClosedError, destinationOf, isFinalRefusal, isIllness } from "./destination.ts";
import type { HealthRecord, HealthStore } from "./health-store.ts";
import { markMs, markStepMs, shareOf } from "./parked-marks.ts";
import { type Pause, type PauseSettings, type PauseTarget, pauseInForce } from "./pause-settings.ts";

/** One attempt at an event, as far as its requests are concerned. */
export interface RequestScope {
  readonly lane: string;
  /** Milliseconds since 1970: no request of the event starts or goes on after it. */
  readonly deadlineMs: number;
  /** Throws when the event was given up: nothing may be started for it any more. */
  readonly assertAlive: () => void;
  /**
   * The event is the first one to meet the trouble, and other triggers wait behind its requests: a destination that failed for
   * another lane a moment ago is tried once, and whether one whose breaker is open is healthy again is found out by those that
   * wait for it. If none does for 30 s, as in shadow or where a handler catches the failure, such an event finds out.
   */
  readonly isFresh?: boolean | undefined;
  /** The event was held back from the dead-letter queue: its requests wait until it may find out whether that is over. */
  readonly isHeldBack?: boolean | undefined;
  /** The destinations that this event, as the only one, may try although their breaker is open. */
  readonly probes: Set<string>;
  /** The destinations of requests that are under way, or failed by no fault of the event. */
  readonly waitsFor: Set<string>;
}

/** What one invocation knows of an app's health, and what it finds out. */
export interface AppHealth {
  /** What is set to be in shadow: read with the health, and as old. */
  readonly shadow: ShadowSettings;
  /**
   * Gives the pause that the app is in, or the lease of whoever acts in this deployment's place; undefined while it acts.
   * No older than five seconds. @throws AwsCallError, PauseSettingError
   */
  pauseOfApp(): Promise<Pause | undefined>;
  /** The same of one target alone. */
  pauseOf(target: PauseTarget): Promise<Pause | undefined>;
  /**
   * Tells whether an event that was received earlier may still have to be handled: lanes of the app are parked, or were within
   * the hour, or something of it is paused. @throws AwsCallError, PauseSettingError
   */
  mayHandleLate(): Promise<boolean>;
  /** True while successes are counted, because lanes of the app are parked or were lately. */
  readonly isInTrouble: () => boolean;
  /** Says that a lane of the app is parked: successes are counted for a while. */
  markTrouble(): Promise<void>;
  /** False where a lane is certainly not parked, so that the table need not be asked (parked-marks.ts says why). */
  readonly mayBeParked: (lane: string) => boolean;
  /**
   * Stands before everything that parks a lane or keeps it parked. Writes once a day at most.
   * @throws AwsCallError when the table did not take it; the lane must then stay as it is
   */
  markParked(lane: string): Promise<void>;
  /** Stands before the requests of one event: breakers, time limits, counting. */
  guardOf(scope: RequestScope, hostOf: (service: PreparedRequest["service"]) => string): Guard;
  /** The same before the requests of one event to hosts other than the platform's. */
  watchOf(scope: RequestScope): WatchOutside;
  /** The counters of a destination now. */
  countsOf(destination: string): Counts;
  /** The outage that a destination is in, if it answers nobody: since when, and whether its breaker is open. */
  outageOf(destination: string): { readonly sinceMs: number; readonly isOpen: boolean } | undefined;
  /** The lanes that a destination failed since it last answered. */
  streakOf(destination: string): readonly string[];
  /** Counts a burial; false means that too many were buried in a minute, and that this event had better wait. */
  mayBury(lane: string): Promise<boolean>;
  /** Says that an effect succeeded: not everything is wrong, and burials may go on. */
  noteSuccess(): void;
  /** Writes down what was found out. A failure to do so is no harm. */
  flush(): Promise<void>;
}

export interface AppHealthOptions {
  readonly appId: string;
  readonly record: HealthRecord;
  readonly store: HealthStore;
  readonly now: () => number;
  /** The lease under which this process acts in the deployment's place, and without which it may not. Default: none. */
  readonly lease?: string | undefined;
}

/** What is paused is read again after 5 s, so that a pause counts within ten for what has begun before it. */
const pausesFreshMs = 5_000;

/** How long after the last parked lane was seen successes are still counted: 1 h. */
const troubleMs = 60 * 60_000;
/** A later end is written only when it is later by this much, so that it is seldom written. */
const troubleStepMs = 10 * 60_000;

/** So soon after a pause the lanes that it held are known to be parked again. */
const markedMs = 10 * 60_000;

/** Not a host: stands for burying events, which stops when too many are buried in a minute. */
const burials = "burials";

export function createAppHealth({ appId, record, store, now, lease }: AppHealthOptions): AppHealth {
  let { troubleUntil } = record;
  let pauses = { readMs: now(), settings: Promise.resolve(record.pauses) };
  const freshPauses = (): Promise<PauseSettings> => {
    if (now() - pauses.readMs > pausesFreshMs) {
      const before = pauses;
      const settings = store.readPauses(appId);
      pauses = { readMs: now(), settings };
      // What could not be read is asked for again at once.
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
  /** Good news cannot wait for the end of the invocation: others stand still. */
  const isAwaited = ({ streakLanes, probeAt, sinceMs }: DestinationState) =>
    streakLanes.length > 0 || probeAt !== undefined || sinceMs !== undefined;

  /** Makes a request to a destination, unless that is known to be ill, and counts what comes of it. */
  const watched = async <T>(
    scope: RequestScope,
    destination: string,
    ownDeadlineMs: number | undefined,
    send: (limits: { readonly deadlineMs: number; readonly isProbe: boolean }) => Promise<T>,
  ): Promise<T> => {
    scope.assertAlive();
    if (scope.isHeldBack === true) await pass(burials, scope);
    await pass(destination, scope);
    const { sinceMs } = stateOf(destination);
    // What answered nobody for so long is asked once at a time.
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
      // Nothing was asked of the destination: what the event does with its time from here on is not its fault.
      if (error instanceof RequestNotAllowedError) scope.waitsFor.delete(destination);
      if (isFinalRefusal(error)) {
        scope.waitsFor.delete(destination);
        noteOk(destination);
        if (isAwaited(stateOf(destination))) await writeOk(destination).catch(ignore);
      }
      if (isIllness(error)) {
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
      // The lease is over: the deployment acts again, and whoever held it must not.
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

    mayBury: async (lane) => {
      if (stateOf(burials).probeAt !== undefined) return false;
      const nowMs = now();
      const burial = { minute: minuteOf(nowMs), lane };
      // Where the table cannot be asked, nothing larger can be seen; the burial itself is told.
      const known = await store.noteBurial(appId, burial, forgettable(record.burials, nowMs)).catch(() => []);
      if (!areTooMany(known, nowMs)) return true;
      const probeAt = nowMs + probePauseMs;
      await store.open(appId, burials, probeAt);
      states.set(burials, { ...stateOf(burials), probeAt });
      return false;
    },

    noteSuccess: () => {
      if (stateOf(burials).probeAt !== undefined) noteOk(burials);
    },

    flush: async () => {
      const isWorthIt = troubleUntil > now();
      for (const destination of [...unwritten.keys()]) {
        if (isWorthIt || isAwaited(stateOf(destination))) await writeOk(destination).catch(ignore);
      }
    },
  };
}

/** What one try of a request may take; less than that left, and its time running out is no sign of anything. */
const fullTimeMs = 10_000;

function isOwnHaste(error: unknown): boolean {
  if (error instanceof RequestFailedError) return error.reason === "TIMEOUT";
  return error instanceof ChatUnreachableError && (error.reason === "TIMEOUT" || error.phase === "wait");
}

function ignore(): undefined {
  return undefined;
}
