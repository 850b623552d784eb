import { sha256Hex } from "../../../lib/base/digest.ts";
import type { PlatformRecord } from "../../platform/services/records.ts";
import type { JournalOptions, StoredDelivery } from "./journal-options.ts";
import type { Journey, KeptCall } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import type { ReceiverNotes } from "./note-receiver.ts";
import { readFacts } from "./read-facts.ts";

export class DeliveryNotes {
  readonly #store: JourneyStore;
  readonly #options: Pick<JournalOptions, "now" | "readDelivery">;
  readonly #receiver: Pick<ReceiverNotes, "open" | "settle">;

  constructor(
    store: JourneyStore,
    options: Pick<JournalOptions, "now" | "readDelivery">,
    receiver: Pick<ReceiverNotes, "open" | "settle">,
  ) {
    this.#store = store;
    this.#options = options;
    this.#receiver = receiver;
  }

  recall(stored: StoredDelivery): void {
    this.#add(stored, undefined, true);
  }

  noteRepetition(ofJourney: string, deliveryId: number): void {
    const journey = this.#findOrAdd(deliveryId);
    if (journey !== undefined) journey.words += ` ${ofJourney}`;
  }

  note(record: PlatformRecord): void {
    if (record.type === "delivery.queued") this.#findOrAdd(record.deliveryId, record.requestId);
    else if (record.type === "request") this.#noteCall(record);
    else if (record.type === "delivery.attempt") {
      const journey = this.#findOrAdd(record.deliveryId);
      if (journey === undefined) return;
      const { number, durationMs, status, error, state, nextAttemptMs } = record;
      journey.tries.push({ number, durationMs, status, error, atMs: this.#options.now() - durationMs });
      journey.state = state;
      journey.nextTryMs = nextAttemptMs;
      journey.words += wordsOf([error]);
      this.#receiver.settle(journey, record.localPort);
    }
  }

  #findOrAdd(id: number, causeRequestId?: number): Journey | undefined {
    const known = this.#store.journeys.get(`d${id}`);
    if (known !== undefined) return known;
    const stored = this.#options.readDelivery(id);
    return stored && this.#add(stored, causeRequestId, false);
  }

  #add(stored: StoredDelivery, causeRequestId: number | undefined, isOld: boolean): Journey {
    const { id, appId, webhookId, trigger, body, state } = stored;
    const facts = readFacts(body, appId, trigger);
    const journey: Journey = {
      ...newJourney(this.#store, `d${id}`, isOld ? stored.createdMs : this.#options.now()),
      origin: { kind: "platform", deliveryId: id, webhookId },
      ...{ facts, causeRequestId, isOld, body: undefined, state },
      tries: stored.attempts.map((attempt) => ({ ...attempt })),
      nextTryMs: state === "pending" ? stored.dueMs : undefined,
      words: wordsOf([`d${id}`, webhookId, ...Object.values(facts)]),
    };
    const digest = sha256Hex(body);
    addTo(this.#store, journey, [digest]);
    if (state === "pending") this.#receiver.open(digest, journey.id);
    return journey;
  }

  #noteCall(record: Extract<PlatformRecord, { type: "request" }>): void {
    const store = this.#store;
    const [, traceId, span] = traceparentPattern.exec(record.traceparent ?? "") ?? [];
    if (traceId === undefined || span === undefined) return;
    const { requestId, durationMs, method, path, onBehalfOf, status, code, fault } = record;
    const call: KeptCall = {
      ...{ requestId, traceId, durationMs, method, path, onBehalfOf, status, code, fault },
      callId: record.seq,
      operation: record.operationId,
      atMs: this.#options.now() - durationMs,
      journeyId: undefined,
    };
    const found = store.runOfSpan(span);
    store.addCall(call, found);
    // A call's log line and its request arrive in any order.
    if (found === undefined) store.onSpan(span, (run) => store.addCall(call, run));
  }
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
