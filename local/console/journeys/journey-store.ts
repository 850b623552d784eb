import { sha256Hex } from "../../../lib/base/digest.ts";
import { traceIdOf } from "../../../lib/handle/run-triggers.ts";
import type { JournalOptions, Journey, KeptCall, KeptMessage, SetAsideNow } from "./journey.ts";

export const mostJourneys = 10_000;
/** Limit of calls without a known event; evicts the oldest. */
const mostStrays = 2_000;

/** Kinds of names that find a journey; `request` caused it, `body` is a digest. */
type NameKind = "event" | "chat" | "message" | "request" | "body" | "span";

type NewJourney = Pick<Journey, "id" | "atMs" | "origin" | "facts" | "state"> & Partial<Journey>;

/** Indexes journeys; adding and finding cost the same at any size. */
export class JourneyStore {
  readonly journeys = new Map<string, Journey>();
  readonly calls = new Map<number, KeptCall>();
  readonly #most: number;
  /** Reads both queues; call it once for many journeys. */
  readonly setAside: () => SetAsideNow;
  readonly #named = new Map<string, Journey[]>();
  readonly #callsOf = new Map<string, KeptCall[]>();
  readonly #strays = new Set<string>();

  constructor(options: Pick<JournalOptions, "mostJourneys" | "setAside">) {
    this.#most = options.mostJourneys ?? mostJourneys;
    this.setAside = options.setAside;
  }

  /** Newest last. */
  of(kind: NameKind, name: string | number): readonly Journey[] {
    return this.#named.get(`${kind} ${name}`) ?? [];
  }

  /** Newest last. */
  ofEvent(deliveryKey: string | undefined): readonly Journey[] {
    return deliveryKey === undefined ? [] : this.of("event", traceIdOf(deliveryKey));
  }

  ofBody(text: string | Uint8Array): Journey | undefined {
    return this.of("body", sha256Hex(text)).at(-1);
  }

  findMessage(id: string) {
    const [journey] = this.of("message", id);
    const message = journey?.messages.find((one) => one.id === id);
    return journey && message && { journey, message };
  }

  callsOf(span: string | undefined): readonly KeptCall[] {
    return this.#callsOf.get(`span ${span}`) ?? [];
  }

  ofCall(requestId: number): Journey | undefined {
    return this.of("span", this.calls.get(requestId)?.span ?? "").at(-1);
  }

  newest(): readonly Journey[] {
    return [...this.journeys.values()].reverse();
  }

  add(given: NewJourney, body = given.body): Journey {
    const { id, facts, origin, causeRequestId } = given;
    const journey: Journey = {
      causeRequestId,
      isOld: false,
      body: undefined,
      tries: [],
      awaited: 0,
      receptions: [],
      nextTryMs: undefined,
      messages: [],
      quarantined: undefined,
      names: [],
      ...given,
      words: wordsOf([id, ...Object.values({ ...origin, kind: "", ...facts })]),
    };
    this.journeys.set(id, journey);
    if (facts.deliveryKey !== undefined) this.name(journey, "event", traceIdOf(facts.deliveryKey));
    if (facts.messageId !== undefined) this.name(journey, "chat", facts.messageId);
    if (causeRequestId !== undefined) this.name(journey, "request", causeRequestId);
    if (body !== undefined) this.name(journey, "body", sha256Hex(body));
    const [oldest] = this.journeys.values();
    if (this.journeys.size > this.#most && oldest !== undefined) this.#drop(oldest);
    return journey;
  }

  name(journey: Journey, kind: NameKind, name: string | number): void {
    const key = `${kind} ${name}`;
    if (journey.names.includes(key)) return;
    journey.names.push(key);
    append(this.#named, key, journey);
  }

  addMessage(journey: Journey, message: Pick<KeptMessage, "id" | "groupId"> & Partial<KeptMessage>): void {
    journey.messages.push({
      queue: "events",
      isReplay: false,
      attempts: [],
      deadLettered: undefined,
      ...message,
    });
    this.name(journey, "message", message.id);
  }

  /** The line that names the call's run may come before or after. */
  addCall(call: KeptCall, traceId: string): void {
    const { requestId, span } = call;
    const isStray = (one: string) => this.of("span", one).length === 0;
    this.calls.set(requestId, call);
    append(this.#callsOf, `span ${span}`, call);
    const journey = this.of("event", traceId).at(-1);
    if (journey !== undefined && isStray(span)) this.name(journey, "span", span);
    if (!isStray(span)) return;
    const [oldest = ""] = this.#strays.add(span);
    if (this.#strays.size <= mostStrays) return;
    this.#strays.delete(oldest);
    if (isStray(oldest)) this.#forgetCalls(`span ${oldest}`);
  }

  forget(isToGo: (journey: Journey) => boolean, isCallToGo: (call: KeptCall) => boolean): void {
    for (const journey of this.newest().filter(isToGo)) this.#drop(journey);
    for (const { requestId, span } of [...this.calls.values()].filter(isCallToGo)) {
      this.calls.delete(requestId);
      const others = this.callsOf(span).filter((call) => call.requestId !== requestId);
      this.#callsOf.set(`span ${span}`, others);
    }
  }

  clear(): void {
    for (const all of [this.journeys, this.calls, this.#named, this.#callsOf, this.#strays]) all.clear();
  }

  #drop(journey: Journey) {
    this.journeys.delete(journey.id);
    for (const key of journey.names) {
      const others = (this.#named.get(key) ?? []).filter((one) => one !== journey);
      if (others.length > 0) this.#named.set(key, others);
      else {
        this.#named.delete(key);
        this.#forgetCalls(key);
      }
    }
  }

  #forgetCalls(key: string) {
    for (const { requestId } of this.#callsOf.get(key) ?? []) this.calls.delete(requestId);
    this.#callsOf.delete(key);
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value) {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

export function wordsOf(values: readonly unknown[]): string {
  return values
    .filter((value) => typeof value === "string")
    .map((value) => ` ${value.toLowerCase()}`)
    .join("");
}
