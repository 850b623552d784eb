import type { Journey, KeptCall, KeptMessage, KeptRun } from "./journey.ts";

/** The oldest journeys are evicted first. */
export const mostJourneys = 10_000;
/** Calls without a known run; the oldest are evicted first. */
const mostLooseCalls = 2_000;

/** All journeys, with an index for each of their ids. */
export interface JourneyStore {
  readonly journeys: ReadonlyMap<string, Journey>;
  readonly messages: ReadonlyMap<string, KeptMessage>;
  readonly calls: ReadonlyMap<number, KeptCall>;
  /** Newest last. */
  readonly ofFact: (deliveryKey: string) => readonly Journey[];
  readonly ofChatMessage: (messageId: string) => readonly Journey[];
  readonly ofTrace: (traceId: string) => readonly Journey[];
  readonly causedBy: (requestId: number) => readonly Journey[];
  readonly ofBody: (digest: string) => Journey | undefined;
  readonly runOfSpan: (span: string) => { readonly run: KeptRun; readonly journeyId: string } | undefined;
  readonly looseCallsOf: (traceId: string) => readonly KeptCall[];
  /** Newest first, starting before `number`. */
  readonly newest: (before?: number) => Generator<Journey>;
  readonly nextNumber: () => number;
  add(
    journey: Journey,
    names: { readonly traceId: string | undefined; readonly bodies: readonly string[] },
  ): void;
  addMessage(message: KeptMessage): void;
  addCall(call: KeptCall, run: { readonly run: KeptRun; readonly journeyId: string } | undefined): void;
  /** Calls back when the span's run is known; at most a thousand callbacks are kept, the newest. */
  onSpan(span: string, tell: (of: { readonly run: KeptRun; readonly journeyId: string }) => void): void;
  /** Adds this body to the journey's index entries. */
  nameBody(digest: string, journey: Journey): void;
  nameRun(span: string, run: KeptRun, journeyId: string): void;
  /** Adds a created message's id to the journey's index entries. */
  nameMade(journey: Journey, messageId: string): void;
  clear(): void;
}

/** Creates an empty store. The cost of adding and finding does not grow with its size. */
export function createJourneyStore(most = mostJourneys): JourneyStore {
  const journeys = new Map<string, Journey>();
  const messages = new Map<string, KeptMessage>();
  const calls = new Map<number, KeptCall>();
  const byFact = createIndex<string, Journey>();
  const byChatMessage = createIndex<string, Journey>();
  const byTrace = createIndex<string, Journey>();
  const byCause = createIndex<number, Journey>();
  const byBody = new Map<string, Journey>();
  const bySpan = new Map<string, { run: KeptRun; journeyId: string }>();
  const spanWaiters = new Map<string, ((of: { run: KeptRun; journeyId: string }) => void)[]>();
  const loose = createIndex<string, KeptCall>();
  const looseOrder = new Set<KeptCall>();
  const namesOf = new Map<string, (() => void)[]>();
  let number = 0;

  const onGoing = (journeyId: string, forget: () => void) => void namesOf.get(journeyId)?.push(forget);
  const drop = (journey: Journey) => {
    journeys.delete(journey.id);
    for (const forget of namesOf.get(journey.id) ?? []) forget();
    namesOf.delete(journey.id);
  };
  const file = <Key>(index: Index<Key, Journey>, key: Key | undefined, journey: Journey) => {
    if (key === undefined) return;
    index.add(key, journey);
    onGoing(journey.id, () => index.delete(key, journey));
  };
  const nameBody = (digest: string, journey: Journey) => {
    byBody.set(digest, journey);
    onGoing(journey.id, () => byBody.get(digest) === journey && byBody.delete(digest));
  };
  const dropLoose = (call: KeptCall) => {
    looseOrder.delete(call);
    loose.delete(call.traceId, call);
  };

  return {
    journeys,
    messages,
    calls,
    ofFact: byFact.get,
    ofChatMessage: byChatMessage.get,
    ofTrace: byTrace.get,
    causedBy: byCause.get,
    ofBody: (digest) => byBody.get(digest),
    runOfSpan: (span) => bySpan.get(span),
    looseCallsOf: loose.get,
    *newest(before = Number.POSITIVE_INFINITY) {
      const all = [...journeys.values()];
      for (let at = all.length - 1; at >= 0; at -= 1) {
        const journey = all[at];
        if (journey !== undefined && journey.number < before) yield journey;
      }
    },
    nextNumber: () => ++number,
    add(journey, { traceId, bodies }) {
      journeys.set(journey.id, journey);
      namesOf.set(journey.id, []);
      file(byFact, journey.facts.deliveryKey, journey);
      file(byChatMessage, journey.facts.messageId, journey);
      file(byTrace, traceId, journey);
      file(byCause, journey.causeRequestId, journey);
      for (const digest of bodies) nameBody(digest, journey);
      const [oldest] = journeys.values();
      if (journeys.size > most && oldest !== undefined) drop(oldest);
    },
    addMessage(message) {
      messages.set(message.id, message);
      journeys.get(message.journeyId)?.messageIds.add(message.id);
      onGoing(message.journeyId, () => messages.delete(message.id));
    },
    addCall(call, found) {
      calls.set(call.requestId, call);
      if (found === undefined) {
        loose.add(call.traceId, call);
        looseOrder.add(call);
        const [oldest] = looseOrder;
        if (looseOrder.size > mostLooseCalls && oldest !== undefined) {
          dropLoose(oldest);
          calls.delete(oldest.requestId);
        }
        return;
      }
      dropLoose(call);
      call.journeyId = found.journeyId;
      found.run.calls.push(call.requestId);
      onGoing(found.journeyId, () => calls.delete(call.requestId));
    },
    onSpan(span, tell) {
      spanWaiters.set(span, [...(spanWaiters.get(span) ?? []), tell]);
      const [oldest] = spanWaiters.keys();
      if (spanWaiters.size > 1_000 && oldest !== undefined) spanWaiters.delete(oldest);
    },
    nameBody,
    nameRun(span, run, journeyId) {
      bySpan.set(span, { run, journeyId });
      for (const tell of spanWaiters.get(span) ?? []) tell({ run, journeyId });
      spanWaiters.delete(span);
      onGoing(journeyId, () => bySpan.delete(span));
    },
    nameMade: (journey, messageId) => {
      if (!byChatMessage.get(messageId).includes(journey)) file(byChatMessage, messageId, journey);
    },
    clear() {
      for (const all of [journeys, messages, calls, byBody, bySpan, spanWaiters, namesOf]) all.clear();
      for (const index of [byFact, byChatMessage, byTrace, byCause, loose]) index.clear();
      looseOrder.clear();
    },
  };
}

interface Index<Key, Value> {
  get(key: Key): readonly Value[];
  add(key: Key, value: Value): void;
  delete(key: Key, value: Value): void;
  clear(): void;
}

/** An index with several values per key, in the order of addition. */
function createIndex<Key, Value>(): Index<Key, Value> {
  const sets = new Map<Key, Set<Value>>();
  return {
    get: (key) => [...(sets.get(key) ?? [])],
    add(key, value) {
      const set = sets.get(key) ?? new Set();
      sets.set(key, set.add(value));
    },
    delete(key, value) {
      const set = sets.get(key);
      set?.delete(value);
      if (set?.size === 0) sets.delete(key);
    },
    clear: () => sets.clear(),
  };
}
