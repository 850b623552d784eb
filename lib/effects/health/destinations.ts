import { causesOf, OwnError } from "../../base/errors.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { isFinalCode } from "../../chat/final-codes.ts";
import { RequestFailedError, RequestNotAllowedError, RequestRefusedError } from "../effect-errors.ts";
import {
  admit,
  type Counts,
  type DestinationState,
  deadLettering,
  probePauseMs,
  triggerOf,
  unknownDestination,
} from "./breaker.ts";
import { type HealthRecord, type HealthStore, mostHealthy } from "./health-store.ts";

export class DestinationClosedError extends OwnError {
  override readonly name = "DestinationClosedError" as const;
  readonly destination: string;
  readonly retryAfterMs: number;
  readonly maybeExecuted = false as const;

  constructor(appId: string, destination: string, retryAfterMs: number) {
    const trigger = triggerOf(destination);
    super(
      trigger === undefined
        ? `Nothing was sent for app ${appId}: ${destination} failed for several conversations in a row; one request in 30 s tests it.`
        : `The trigger ${trigger} did not run for app ${appId}: it hung or crashed in several conversations in a row; one event in 30 s tests it.`,
    );
    this.destination = destination;
    this.retryAfterMs = retryAfterMs;
  }
}

const blamed = new WeakMap<Error, string>();

export function blame(error: Error, destination: string): void {
  blamed.set(error, destination);
}

export function blamedFor(error: unknown): string | undefined {
  for (const one of causesOf(error)) {
    const destination = blamed.get(one);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/**
 * True for the platform's envelope with a documented code that is no outage (4xx, or inside a 2xx), and for
 * another host's refusal. False for what an operator may fix: credentials, a scope, a plan, a proxy's page.
 */
export function isFinalRefusal(error: unknown): boolean {
  if (error instanceof RequestRefusedError) return true;
  if (!(error instanceof ChatApiError)) return false;
  const { status, operation, code } = error;
  const isGroupFull = /^add-group-members .*_QUOTA/.test(`${operation} ${code}`);
  return isLasting(status) && (isGroupFull || isFinalCode(code));
}

/** True for a status that a later repetition would not change. */
export function isLasting(status: number): boolean {
  return /^(2|4(?!01|08|29))/.test(`${status}`);
}

/** Also true for one that may pass: the host is up. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RequestFailedError) return error.status === 403 || error.status === 409;
  if (!(error instanceof ChatApiError) || isFinalRefusal(error)) return isFinalRefusal(error);
  const { status, code } = error;
  return /^4(?!01|08|29)\d+ ERR_(?!APP_|SUBSCRIPTION|TOO_MANY)/.test(`${status} ${code}`);
}

export function isUserLimit(error: unknown): error is ChatApiError {
  return error instanceof ChatApiError && error.isUserLimit;
}

export function isOutage(error: unknown): error is ChatApiError | ChatUnreachableError | RequestFailedError {
  if (error instanceof ChatUnreachableError || error instanceof RequestFailedError) return true;
  return error instanceof ChatApiError && !isFinalRefusal(error) && !isUserLimit(error);
}

export interface LaneLimits {
  readonly lane: string;
  readonly deadlineMs: number;
  readonly assertAlive: () => void;
  /**
   * True for an event that comes straight from its queue. It has one try at a destination that just failed
   * for another lane. Parked events probe an open breaker; if none does for 30 s, as in shadow, this event
   * does.
   */
  readonly isFresh?: boolean | undefined;
  /** True if the event is delayed instead of dead-lettered: its requests wait until it may probe. */
  readonly isHeldBack?: boolean | undefined;
  /** Destinations with an open breaker that this event probes. */
  readonly probes: Set<string>;
  readonly waitsFor: WaitsFor;
}

/** Destinations with pending requests, and how many, or whose last one failed without the event's fault. */
export type WaitsFor = Map<string, number>;

export function beginWait(waitsFor: WaitsFor, destination: string): void {
  waitsFor.set(destination, (waitsFor.get(destination) ?? 0) + 1);
}

/** @param isOver false if the request failed without the event's fault */
export function endWait(waitsFor: WaitsFor, destination: string, isOver: boolean): void {
  const pending = (waitsFor.get(destination) ?? 1) - 1;
  if (pending === 0 && isOver) waitsFor.delete(destination);
  else waitsFor.set(destination, pending);
}

export function forgetEndedWaits(waitsFor: WaitsFor): void {
  for (const [destination, pending] of waitsFor) if (pending === 0) waitsFor.delete(destination);
}

const fullTimeMs = 10_000;

interface SendLimits {
  readonly deadlineMs: number;
  readonly isProbe: boolean;
}

export class Destinations {
  readonly #appId: string;
  readonly #states: Map<string, DestinationState>;
  readonly #store: HealthStore;
  readonly #now: () => number;
  /** Successes. */
  readonly #unwritten = new Map<string, number>();

  constructor(
    appId: string,
    destinations: HealthRecord["destinations"],
    store: HealthStore,
    now: () => number,
  ) {
    this.#appId = appId;
    this.#states = new Map(destinations);
    this.#store = store;
    this.#now = now;
  }

  async watched<T>(
    limits: LaneLimits,
    destination: string,
    ownDeadlineMs: number | undefined,
    send: (sendLimits: SendLimits) => Promise<T>,
  ): Promise<T> {
    limits.assertAlive();
    if (limits.isHeldBack === true) await this.pass(deadLettering, limits);
    await this.pass(destination, limits);
    const { sinceMs } = this.stateOf(destination);
    const nowMs = this.#now();
    // After this long without an answer, one request at a time.
    const isInDoubt = sinceMs !== undefined && (limits.isFresh === true || nowMs - sinceMs > probePauseMs);
    const isProbe = limits.probes.size > 0 || isInDoubt;
    const deadlineMs = Math.min(ownDeadlineMs ?? Number.POSITIVE_INFINITY, limits.deadlineMs);
    beginWait(limits.waitsFor, destination);
    try {
      const sent = await send({ deadlineMs, isProbe });
      await this.#noteAnswer(destination, limits);
      return sent;
    } catch (error) {
      await this.#noteError(error, destination, limits, nowMs + fullTimeMs <= deadlineMs);
      throw error;
    }
  }

  countsOf(destination: string): Counts {
    const { ok, bad } = this.stateOf(destination);
    return { ok: ok + (this.#unwritten.get(destination) ?? 0), bad };
  }

  stateOf(destination: string): DestinationState {
    return this.#states.get(destination) ?? unknownDestination;
  }

  async open(destination: string, probeAt: number): Promise<void> {
    this.#learn(destination, { openedMs: probeAt, probeAt });
    await this.#store.open(this.#appId, destination, probeAt);
  }

  /** @throws DestinationClosedError */
  async pass(destination: string, limits: Pick<LaneLimits, "isFresh" | "probes">): Promise<void> {
    if (limits.probes.has(destination)) return;
    const nowMs = this.#now();
    const admission = admit(this.stateOf(destination), nowMs);
    if (admission.kind === "go") return;
    const refuse = (retryAfterMs: number) => {
      throw new DestinationClosedError(this.#appId, destination, retryAfterMs);
    };
    if (admission.kind === "closed") return refuse(admission.retryAfterMs);
    const { probeAt } = admission;
    if (limits.isFresh === true && nowMs < probeAt + probePauseMs) return refuse(0);
    const isMine = await this.#store.claimProbe(this.#appId, destination, probeAt, nowMs);
    this.#learn(destination, { probeAt: this.#now() + probePauseMs });
    if (!isMine) return refuse(probePauseMs);
    limits.probes.add(destination);
  }

  /** Never throws. */
  async noteBad(destination: string, lane: string): Promise<void> {
    await this.#know(destination, this.#store.noteBad(this.#appId, destination, lane, this.#now()));
  }

  /** Lanes wait for it from now on, or already did. Never throws. */
  async noteWait(destination: string): Promise<void> {
    if (this.stateOf(destination).sinceMs !== undefined) return;
    await this.#know(destination, this.#store.noteWait(this.#appId, destination, this.#now()));
  }

  /** Counts a success only if others wait for it. Never throws. */
  async noteAwaitedOk(destination: string): Promise<void> {
    if (!isAwaited(this.stateOf(destination))) return;
    this.noteOk(destination);
    await this.#writeOk(destination);
  }

  noteOk(destination: string): void {
    this.#unwritten.set(destination, (this.#unwritten.get(destination) ?? 0) + 1);
  }

  async flush(isAll: boolean): Promise<void> {
    for (const destination of [...this.#unwritten.keys()]) {
      // A wildcard may allow thousands of hosts.
      const healthy = [...this.#states.values()].filter((state) => !isAwaited(state));
      const isKept = healthy.length < mostHealthy || this.#states.has(destination);
      if ((isAll && isKept) || isAwaited(this.stateOf(destination))) await this.#writeOk(destination);
    }
  }

  #learn(destination: string, change: Partial<DestinationState>): void {
    this.#states.set(destination, { ...this.stateOf(destination), ...change });
  }

  async #know(destination: string, noted: Promise<DestinationState>): Promise<void> {
    await noted.then((state) => this.#states.set(destination, state), ignore);
  }

  async #noteError(
    error: unknown,
    destination: string,
    limits: LaneLimits,
    hadFullTime: boolean,
  ): Promise<void> {
    // It may be a failing host's page for visitors.
    const isRedirect = error instanceof RequestRefusedError && error.maybeExecuted;
    if (!isRedirect && (isFinalRefusal(error) || isUserLimit(error)))
      return this.#noteAnswer(destination, limits);
    const isRefused = isRefusal(error);
    const isOver = isRefused || isRedirect || error instanceof RequestNotAllowedError;
    endWait(limits.waitsFor, destination, isOver);
    if (!isOutage(error)) return;
    blame(error, destination);
    if (isRefused) return this.#states.has(destination) ? this.#writeOk(destination, 1) : undefined;
    if (!hadFullTime && isOwnHaste(error)) return;
    await this.noteBad(destination, limits.lane);
  }

  async #noteAnswer(destination: string, limits: LaneLimits): Promise<void> {
    endWait(limits.waitsFor, destination, true);
    this.noteOk(destination);
    if (isAwaited(this.stateOf(destination))) await this.#writeOk(destination);
  }

  async #writeOk(destination: string, refused = 0): Promise<void> {
    const count = this.#unwritten.get(destination) ?? 0;
    if (count + refused === 0) return;
    this.#unwritten.delete(destination);
    const { ok, bad } = this.stateOf(destination);
    this.#states.set(destination, { ...unknownDestination, ok: ok + count, bad: bad + refused });
    await this.#store.noteOk(this.#appId, destination, count, refused).catch(ignore);
  }
}

/** Other lanes wait for a success: it is written before the invocation's end. */
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
