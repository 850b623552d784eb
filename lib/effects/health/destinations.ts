import { ChatUnreachableError } from "../../chat/errors.ts";
import { RequestFailedError, RequestNotAllowedError } from "../http/outside-errors.ts";
import { admit, type Counts, type DestinationState, probePauseMs, unknownDestination } from "./breaker.ts";
import { blame, DestinationClosedError, isFinalRefusal, isOutage, isUserLimit } from "./destination.ts";
import type { HealthRecord, HealthStore } from "./health-store.ts";

export interface RequestScope {
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
  /** Requests that are pending, or failed without the event's fault. */
  readonly waitsFor: Set<string>;
}

/** Not a host: stands for dead-lettering. */
export const deadLettering = "burials";

const fullTimeMs = 10_000;

interface Limits {
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
    scope: RequestScope,
    destination: string,
    ownDeadlineMs: number | undefined,
    send: (limits: Limits) => Promise<T>,
  ): Promise<T> {
    scope.assertAlive();
    if (scope.isHeldBack === true) await this.#pass(deadLettering, scope);
    await this.#pass(destination, scope);
    const { sinceMs } = this.stateOf(destination);
    const nowMs = this.#now();
    // After this long without an answer, one request at a time.
    const isInDoubt = sinceMs !== undefined && (scope.isFresh === true || nowMs - sinceMs > probePauseMs);
    const isProbe = scope.probes.size > 0 || isInDoubt;
    const deadlineMs = Math.min(ownDeadlineMs ?? Number.POSITIVE_INFINITY, scope.deadlineMs);
    scope.waitsFor.add(destination);
    try {
      const sent = await send({ deadlineMs, isProbe });
      await this.#noteAnswer(destination, scope);
      return sent;
    } catch (error) {
      await this.#noteError(error, destination, scope, nowMs + fullTimeMs <= deadlineMs);
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

  noteOk(destination: string): void {
    this.#unwritten.set(destination, (this.#unwritten.get(destination) ?? 0) + 1);
  }

  async flush(isAll: boolean): Promise<void> {
    for (const destination of [...this.#unwritten.keys()]) {
      if (isAll || isAwaited(this.stateOf(destination))) await this.#writeOk(destination);
    }
  }

  #learn(destination: string, change: Partial<DestinationState>): void {
    this.#states.set(destination, { ...this.stateOf(destination), ...change });
  }

  async #pass(destination: string, scope: RequestScope): Promise<void> {
    if (scope.probes.has(destination)) return;
    const nowMs = this.#now();
    const admission = admit(this.stateOf(destination), nowMs);
    if (admission.kind === "go") return;
    const refuse = (retryAfterMs: number) => {
      throw new DestinationClosedError(this.#appId, destination, retryAfterMs);
    };
    if (admission.kind === "closed") return refuse(admission.retryAfterMs);
    const { probeAt } = admission;
    if (scope.isFresh === true && nowMs < probeAt + probePauseMs) return refuse(0);
    const isMine = await this.#store.claimProbe(this.#appId, destination, probeAt, nowMs);
    this.#learn(destination, { probeAt: this.#now() + probePauseMs });
    if (!isMine) return refuse(probePauseMs);
    scope.probes.add(destination);
  }

  async #noteError(
    error: unknown,
    destination: string,
    scope: RequestScope,
    hadFullTime: boolean,
  ): Promise<void> {
    if (error instanceof RequestNotAllowedError) scope.waitsFor.delete(destination);
    if (isFinalRefusal(error) || isUserLimit(error)) await this.#noteAnswer(destination, scope);
    if (!isOutage(error)) return;
    blame(error, destination);
    if (!hadFullTime && isOwnHaste(error)) return;
    const noted = this.#store.noteBad(this.#appId, destination, scope.lane, this.#now());
    const state = await noted.catch(ignore);
    if (state !== undefined) this.#states.set(destination, state);
  }

  async #noteAnswer(destination: string, scope: RequestScope): Promise<void> {
    scope.waitsFor.delete(destination);
    this.noteOk(destination);
    if (isAwaited(this.stateOf(destination))) await this.#writeOk(destination);
  }

  async #writeOk(destination: string): Promise<void> {
    const count = this.#unwritten.get(destination) ?? 0;
    if (count === 0) return;
    this.#unwritten.delete(destination);
    const { ok, bad } = this.stateOf(destination);
    this.#states.set(destination, { ...unknownDestination, ok: ok + count, bad });
    await this.#store.noteOk(this.#appId, destination, count).catch(ignore);
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
