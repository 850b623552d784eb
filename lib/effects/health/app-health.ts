import type { Guard } from "../../chat/compose.ts";
import type { PreparedRequest } from "../../chat/prepare-request.ts";
import type { WatchOutside } from "../http/outside.ts";
import {
  areTooMany,
  deadLettering,
  destinationOf,
  destinationOfTrigger,
  forgettable,
  heldBackOf,
  minuteOf,
  probePauseMs,
} from "./breaker.ts";
import { Destinations, type LaneLimits } from "./destinations.ts";
import { type HealthRecord, type HealthStore, markMs, markStepMs, shareOf } from "./health-store.ts";
import { type Pause, type PauseSettings, type PauseTarget, pauseInForce } from "./pause-settings.ts";

export interface AppHealthOptions {
  readonly appId: string;
  readonly record: HealthRecord;
  readonly store: HealthStore;
  readonly now: () => number;
  /** The lease under which this process acts for the deployment. Default: none. */
  readonly lease?: string | undefined;
}

const pausesFreshMs = 5_000;

const troubleMs = 60 * 60_000;
/** Shorter marks would cause more writes. */
const troubleStepMs = 10 * 60_000;

const markedMs = 10 * 60_000;

/** The longest delay of what the breaker of dead-lettering holds back. */
export const heldBackAtMostMs = 24 * 60 * 60_000;

export type AppHealth = ReturnType<typeof createAppHealth>;

export function createAppHealth(options: AppHealthOptions) {
  const { appId, record, store, now } = options;
  const destinations = new Destinations(appId, record.destinations, store, now);
  const stateOf = (destination: string) => destinations.stateOf(destination);
  const settings = createFreshPauses(options);
  const marks = createMarks(options);

  return {
    shadow: record.shadow,
    ...createPauses(settings, options),
    ...marks,
    /**
     * Returns whether a lane is, or was within an hour, parked, or a part of the app is paused.
     * @throws AwsCallError, PauseSettingError
     */
    mayHandleLate: async (): Promise<boolean> =>
      marks.isInTrouble() ||
      [...(await settings()).values()].some(({ untilMs }) => now() < untilMs + markedMs),

    outageGuardOf:
      (limits: LaneLimits, hostOf: (service: PreparedRequest["service"]) => string): Guard =>
      (request, options, send) => {
        const destination = destinationOf(hostOf(request.service), request.method);
        return destinations.watched(limits, destination, options.deadlineMs, ({ deadlineMs, isProbe }) =>
          send({ ...options, deadlineMs, leavesAtUserLimit: true, ...(isProbe && { maxTries: 1 }) }),
        );
      },
    watchOf:
      (limits: LaneLimits): WatchOutside =>
      (host, method, send) =>
        destinations.watched(limits, destinationOf(host, method), undefined, send),

    countsOf: (destination: string) => destinations.countsOf(destination),
    outageOf: (destination: string): { readonly sinceMs: number; readonly isOpen: boolean } | undefined => {
      const { sinceMs, probeAt } = stateOf(destination);
      return sinceMs === undefined ? undefined : { sinceMs, isOpen: probeAt !== undefined };
    },
    streakOf: (destination: string): readonly string[] => stateOf(destination).streakLanes,

    ...createDeadLetterBreaker(destinations, options),
    ...createTriggerBreakers(destinations),
    /** When the trigger last hung or crashed in any process. */
    lastHangOf: (name: string) => stateOf(destinationOfTrigger(name)).lastMs,

    flush: () => destinations.flush(marks.isInTrouble()),
  };
}

function createDeadLetterBreaker(
  destinations: Destinations,
  { appId, record, store, now }: AppHealthOptions,
) {
  const isOpen = () => destinations.stateOf(deadLettering).probeAt !== undefined;
  const noteSuccess = (): void => {
    if (isOpen()) destinations.noteOk(deadLettering);
  };
  return {
    noteSuccess,
    /** Events of the trigger then wait until one of them is done. Never throws. */
    noteHeldBack: (trigger: string) => destinations.noteWait(heldBackOf(trigger)),
    /** Never throws. */
    noteHeldBackDone: async (trigger: string): Promise<void> => {
      // First: the others must find that dead-lettering lets their requests pass.
      await destinations.flush(false);
      await destinations.noteAwaitedOk(heldBackOf(trigger));
    },
    /** Returns whether a dead letter may be sent. Each call counts one. Never throws. */
    mayDeadLetter: async (lane: string): Promise<boolean> => {
      const nowMs = now();
      const { openedMs = 0 } = destinations.stateOf(deadLettering);
      if (isOpen() && nowMs < openedMs + heldBackAtMostMs) return false;
      const counted = { minute: minuteOf(nowMs), lane };
      // Without the table, a larger problem is not visible.
      const known = await store
        .noteDeadLetter(appId, counted, forgettable(record.deadLetters, nowMs))
        .catch(() => []);
      if (areTooMany(known, nowMs)) {
        await destinations.open(deadLettering, nowMs + probePauseMs).catch(() => undefined);
        return false;
      }
      noteSuccess();
      return true;
    },
  };
}

/**
 * A trigger that hangs or crashes in five batches in a row, of different conversations, is tried with one
 * event every 30 s. Its other events wait beside their lanes, so that it takes no other trigger's time.
 */
function createTriggerBreakers(destinations: Destinations) {
  const hung = new Set<string>();
  return {
    /** @throws DestinationClosedError */
    passTrigger: (name: string, { isFresh }: Pick<LaneLimits, "isFresh">) =>
      destinations.pass(destinationOfTrigger(name), { isFresh, probes: new Set() }),
    /** Never throws. */
    noteTriggerEnded: (name: string) => destinations.noteAwaitedOk(destinationOfTrigger(name)),
    /**
     * Counts once per batch: a handler that blocks the processor stops all that run beside it. Never throws.
     */
    noteTriggerHung: async (name: string, lane: string): Promise<void> => {
      if (hung.has(name)) return;
      hung.add(name);
      await destinations.noteBad(destinationOfTrigger(name), lane);
    },
  };
}

function createFreshPauses({ appId, record, store, now }: AppHealthOptions): () => Promise<PauseSettings> {
  let pauses = { readMs: now(), settings: Promise.resolve(record.pauses) };
  return () => {
    if (now() - pauses.readMs > pausesFreshMs) {
      const before = pauses;
      // A failure here would look like a crash.
      const settings = store.readPauses(appId).catch(() => {
        pauses = before;
        return before.settings;
      });
      pauses = { readMs: now(), settings };
    }
    return pauses.settings;
  };
}

function createPauses(settings: () => Promise<PauseSettings>, { now, lease }: AppHealthOptions) {
  return {
    /**
     * Returns the app's pause, or the lease of a process that acts for this deployment.
     * @throws AwsCallError, PauseSettingError
     */
    pauseOfApp: async (): Promise<Pause | undefined> => {
      const known = await settings();
      const ofApp = pauseInForce(known, { kind: "app" }, now());
      if (ofApp !== undefined) return ofApp;
      const held = pauseInForce(known, { kind: "lease" }, now());
      if (lease === undefined || held !== undefined) return held?.id === lease ? undefined : held;
      return { id: lease, sinceMs: 0, untilMs: 0, by: "nobody" };
    },
    pauseOf: async (target: PauseTarget): Promise<Pause | undefined> =>
      pauseInForce(await settings(), target, now()),
  };
}

function createMarks({ appId, record, store, now }: AppHealthOptions) {
  const parkedUntil = new Map(record.parkedUntil);
  let { troubleUntil } = record;
  return {
    isInTrouble: () => troubleUntil > now(),
    /**
     * Returns false if certainly no trigger hung within the hour. A mark may end a step early, and a run may
     * note the trigger a minute after its mark.
     */
    mayHaveHung: () => troubleUntil + 2 * troubleStepMs > now(),
    markTrouble: async (): Promise<void> => {
      const until = now() + troubleMs;
      if (until - troubleUntil < troubleStepMs) return;
      await store.markTrouble(appId, until);
      troubleUntil = until;
    },
    /** Returns false if the lane is certainly not parked. See health-store.ts. */
    mayBeParked: (lane: string) => (parkedUntil.get(shareOf(lane)) ?? 0) > now(),
    /**
     * Marks a lane before it is parked or kept parked. Writes at most once a day.
     * @throws AwsCallError: the lane must then stay as it is
     */
    markParked: async (lane: string): Promise<void> => {
      const share = shareOf(lane);
      const until = now() + markMs;
      if (until - (parkedUntil.get(share) ?? 0) < markStepMs) return;
      await store.markParked(appId, share, until);
      parkedUntil.set(share, until);
    },
  };
}
