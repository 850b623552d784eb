import { createIndex, type Index } from "./index-by-key.ts";
import type { Journey, KeptCall, KeptMessage, KeptRun } from "./journey.ts";

/** The oldest are evicted first. */
export const mostJourneys = 10_000;
/** Calls without a known run; the oldest are evicted first. */
const mostLooseCalls = 2_000;

interface SpanRun {
  readonly run: KeptRun;
  readonly journeyId: string;
}

/** Adding and finding cost the same at any size. */
export class JourneyStore {
  readonly #most: number;
  readonly #journeys = new Map<string, Journey>();
  readonly #messages = new Map<string, KeptMessage>();
  readonly #calls = new Map<number, KeptCall>();
  readonly #byFact = createIndex<string, Journey>();
  readonly #byChatMessage = createIndex<string, Journey>();
  readonly #byTrace = createIndex<string, Journey>();
  readonly #byCause = createIndex<number, Journey>();
  readonly #byBody = new Map<string, Journey>();
  readonly #bySpan = new Map<string, SpanRun>();
  readonly #spanWaiters = new Map<string, ((of: SpanRun) => void)[]>();
  readonly #loose = createIndex<string, KeptCall>();
  readonly #looseOrder = new Set<KeptCall>();
  /** Removes the index entries of each journey. */
  readonly #namesOf = new Map<string, (() => void)[]>();
  #number = 0;

  constructor(most = mostJourneys) {
    this.#most = most;
  }

  get journeys(): ReadonlyMap<string, Journey> {
    return this.#journeys;
  }

  get messages(): ReadonlyMap<string, KeptMessage> {
    return this.#messages;
  }

  get calls(): ReadonlyMap<number, KeptCall> {
    return this.#calls;
  }

  /** Newest last. */
  ofFact(deliveryKey: string): readonly Journey[] {
    return this.#byFact.get(deliveryKey);
  }

  ofChatMessage(messageId: string): readonly Journey[] {
    return this.#byChatMessage.get(messageId);
  }

  ofTrace(traceId: string): readonly Journey[] {
    return this.#byTrace.get(traceId);
  }

  causedBy(requestId: number): readonly Journey[] {
    return this.#byCause.get(requestId);
  }

  ofBody(digest: string): Journey | undefined {
    return this.#byBody.get(digest);
  }

  runOfSpan(span: string): SpanRun | undefined {
    return this.#bySpan.get(span);
  }

  looseCallsOf(traceId: string): readonly KeptCall[] {
    return this.#loose.get(traceId);
  }

  /** Newest first, before `number`. */
  *newest(before = Number.POSITIVE_INFINITY): Generator<Journey> {
    for (const journey of [...this.#journeys.values()].reverse()) {
      if (journey.number < before) yield journey;
    }
  }

  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  add(
    journey: Journey,
    { traceId, bodies }: { readonly traceId: string | undefined; readonly bodies: readonly string[] },
  ): void {
    this.#journeys.set(journey.id, journey);
    this.#namesOf.set(journey.id, []);
    this.#file(this.#byFact, journey.facts.deliveryKey, journey);
    this.#file(this.#byChatMessage, journey.facts.messageId, journey);
    this.#file(this.#byTrace, traceId, journey);
    this.#file(this.#byCause, journey.causeRequestId, journey);
    for (const digest of bodies) this.nameBody(digest, journey);
    const [oldest] = this.#journeys.values();
    if (this.#journeys.size > this.#most && oldest !== undefined) this.#drop(oldest);
  }

  addMessage(message: KeptMessage): void {
    this.#messages.set(message.id, message);
    this.#journeys.get(message.journeyId)?.messageIds.add(message.id);
    this.#onDrop(message.journeyId, () => this.#messages.delete(message.id));
  }

  addCall(call: KeptCall, found: SpanRun | undefined): void {
    this.#calls.set(call.requestId, call);
    if (found === undefined) {
      this.#addLoose(call);
      return;
    }
    this.#dropLoose(call);
    call.journeyId = found.journeyId;
    found.run.calls.push(call.requestId);
    this.#onDrop(found.journeyId, () => this.#calls.delete(call.requestId));
  }

  /** Calls back when the span's run is known; at most a thousand callbacks are kept, the newest. */
  onSpan(span: string, tell: (of: SpanRun) => void): void {
    this.#spanWaiters.set(span, [...(this.#spanWaiters.get(span) ?? []), tell]);
    const [oldest] = this.#spanWaiters.keys();
    if (this.#spanWaiters.size > 1_000 && oldest !== undefined) this.#spanWaiters.delete(oldest);
  }

  /** Adds this body to the journey's index entries. */
  nameBody(digest: string, journey: Journey): void {
    const byBody = this.#byBody;
    byBody.set(digest, journey);
    this.#onDrop(journey.id, () => byBody.get(digest) === journey && byBody.delete(digest));
  }

  nameRun(span: string, run: KeptRun, journeyId: string): void {
    this.#bySpan.set(span, { run, journeyId });
    for (const tell of this.#spanWaiters.get(span) ?? []) tell({ run, journeyId });
    this.#spanWaiters.delete(span);
    this.#onDrop(journeyId, () => this.#bySpan.delete(span));
  }

  nameMade(journey: Journey, messageId: string): void {
    if (!this.ofChatMessage(messageId).includes(journey)) this.#file(this.#byChatMessage, messageId, journey);
  }

  clear(): void {
    const maps = [this.#journeys, this.#messages, this.#calls, this.#byBody, this.#bySpan];
    for (const all of [...maps, this.#spanWaiters, this.#namesOf, this.#looseOrder]) all.clear();
    const indexes = [this.#byFact, this.#byChatMessage, this.#byTrace, this.#byCause, this.#loose];
    for (const index of indexes) index.clear();
  }

  #onDrop(journeyId: string, forget: () => void): void {
    this.#namesOf.get(journeyId)?.push(forget);
  }

  #drop(journey: Journey): void {
    this.#journeys.delete(journey.id);
    for (const forget of this.#namesOf.get(journey.id) ?? []) forget();
    this.#namesOf.delete(journey.id);
  }

  #file<Key>(index: Index<Key, Journey>, key: Key | undefined, journey: Journey): void {
    if (key === undefined) return;
    index.add(key, journey);
    this.#onDrop(journey.id, () => index.delete(key, journey));
  }

  #addLoose(call: KeptCall): void {
    this.#loose.add(call.traceId, call);
    this.#looseOrder.add(call);
    const [oldest] = this.#looseOrder;
    if (this.#looseOrder.size <= mostLooseCalls || oldest === undefined) return;
    this.#dropLoose(oldest);
    this.#calls.delete(oldest.requestId);
  }

  #dropLoose(call: KeptCall): void {
    this.#looseOrder.delete(call);
    this.#loose.delete(call.traceId, call);
  }
}
