import { sha256Hex } from "../../../lib/base/digest.ts";
import type { PlatformRecord } from "../../platform/services/records.ts";
import type { JournalOptions, StoredDelivery } from "./journal-options.ts";
import type { Journey, KeptCall } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import type { ReceiverNotes } from "./note-receiver.ts";
import { readFacts } from "./read-facts.ts";

/** Records the platform's deliveries, their attempts, and requests that events caused. */
export function createDeliveryNotes(
  store: JourneyStore,
  { now, readDelivery }: Pick<JournalOptions, "now" | "readDelivery">,
  receiver: Pick<ReceiverNotes, "open" | "settle">,
) {
  const add = (stored: StoredDelivery, causeRequestId: number | undefined, isOld: boolean): Journey => {
    const { id, appId, webhookId, trigger, body, state } = stored;
    const facts = readFacts(body, appId, trigger);
    const journey: Journey = {
      ...newJourney(store, `d${id}`, isOld ? stored.createdMs : now()),
      origin: { kind: "platform", deliveryId: id, webhookId },
      ...{ facts, causeRequestId, isOld, body: undefined, state },
      tries: stored.attempts.map((attempt) => ({ ...attempt })),
      nextTryMs: state === "pending" ? stored.dueMs : undefined,
      words: wordsOf([`d${id}`, webhookId, ...Object.values(facts)]),
    };
    const digest = sha256Hex(body);
    addTo(store, journey, [digest]);
    if (state === "pending") receiver.open(digest, journey.id);
    return journey;
  };
  const findOrAdd = (id: number, causeRequestId?: number): Journey | undefined => {
    const known = store.journeys.get(`d${id}`);
    if (known !== undefined) return known;
    const stored = readDelivery(id);
    return stored && add(stored, causeRequestId, false);
  };

  return {
    recall: (stored: StoredDelivery) => void add(stored, undefined, true),
    noteRepetition(ofJourney: string, deliveryId: number) {
      const journey = findOrAdd(deliveryId);
      if (journey !== undefined) journey.words += ` ${ofJourney}`;
    },
    note(record: PlatformRecord) {
      if (record.type === "delivery.queued") findOrAdd(record.deliveryId, record.requestId);
      else if (record.type === "request") noteCall(record);
      else if (record.type === "delivery.attempt") {
        const journey = findOrAdd(record.deliveryId);
        if (journey === undefined) return;
        const { number, durationMs, status, error, state, nextAttemptMs } = record;
        journey.tries.push({ number, durationMs, status, error, atMs: now() - durationMs });
        journey.state = state;
        journey.nextTryMs = nextAttemptMs;
        journey.words += wordsOf([error]);
        receiver.settle(journey, record.localPort);
      }
    },
  };

  function noteCall(record: Extract<PlatformRecord, { type: "request" }>): void {
    const [, traceId, span] = traceparentPattern.exec(record.traceparent ?? "") ?? [];
    if (traceId === undefined || span === undefined) return;
    const { requestId, durationMs, method, path, onBehalfOf, status, code, fault } = record;
    const call: KeptCall = {
      ...{ requestId, traceId, durationMs, method, path, onBehalfOf, status, code, fault },
      callId: record.seq,
      operation: record.operationId,
      atMs: now() - durationMs,
      journeyId: undefined,
    };
    const found = store.runOfSpan(span);
    store.addCall(call, found);
    if (found === undefined) waitingForSpan(span, call);
  }

  /** A call's log line and its request arrive in any order. */
  function waitingForSpan(span: string, call: KeptCall): void {
    store.onSpan(span, (run) => store.addCall(call, run));
  }
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
