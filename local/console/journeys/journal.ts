import { readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import type { PlatformRecord } from "../../platform/services/records.ts";
import { findDelivery, listAttempts, listDeliveries } from "../../platform/store/webhooks.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { StackNews } from "../../stack/stack-news.ts";
import {
  createQueueReader,
  type QueueReader,
  queueNames,
  queueTable,
  toHeld,
} from "../queues/look-at-queue.ts";
import { type JournalOptions, type Journey, readFacts, type StoredDelivery } from "./journey.ts";
import { JourneyStore, mostJourneys, wordsOf } from "./journey-store.ts";
import { LineNotes } from "./line-notes.ts";
import { ReceptionNotes } from "./note-receptions.ts";

/** Records deliveries from the local stack's news, at a constant cost. */
export class Journal {
  readonly store: JourneyStore;
  readonly #options: JournalOptions;
  readonly #lines: LineNotes;
  readonly #receptions: ReceptionNotes;

  constructor(options: JournalOptions) {
    this.store = new JourneyStore(options);
    this.#options = options;
    this.#lines = new LineNotes(this.store, options);
    this.#receptions = new ReceptionNotes(this.store, options, this.#lines);
  }

  note(news: StackNews): void {
    const [lines, receptions] = [this.#lines, this.#receptions];
    if (news.kind === "record") this.#noteRecord(news.record);
    else if (news.kind === "exchange") receptions.noteExchange(news.exchange);
    else if (news.kind === "sent") receptions.noteSent(news.sent);
    else if (news.kind === "invocation") receptions.noteInvocation(news);
    else if (news.kind === "line") lines.note(news);
    else if (news.kind === "reload") lines.sources.noteReload(news.state);
    else if (news.kind === "batch") lines.noteBatch(news.batch);
  }

  clear(): void {
    for (const all of [this.store, this.#lines, this.#receptions]) all.clear();
  }

  recall(stored: StoredDelivery): void {
    this.#add(stored, { atMs: stored.createdMs, isOld: true });
  }

  #noteRecord(record: PlatformRecord) {
    if (record.type === "state") this.clear();
    else if (record.type === "delivery.queued") this.#findOrAdd(record.deliveryId, record.requestId);
    else if (record.type === "request") this.#noteCall(record);
    else if (record.type === "delivery.attempt") {
      const journey = this.#findOrAdd(record.deliveryId);
      if (journey === undefined) return;
      const { number, durationMs, status, error, state, nextAttemptMs } = record;
      journey.tries.push({ number, durationMs, status, error, atMs: this.#options.now() - durationMs });
      journey.state = state;
      journey.nextTryMs = nextAttemptMs;
      journey.words += wordsOf([error]);
      this.#receptions.settle(journey, record.localPort);
    }
  }

  #findOrAdd(id: number, causeRequestId?: number) {
    const known = this.store.journeys.get(`d${id}`);
    if (known !== undefined) return known;
    const stored = this.#options.readDelivery(id);
    return stored && this.#add(stored, { atMs: this.#options.now(), causeRequestId });
  }

  #add(stored: StoredDelivery, more: Pick<Journey, "atMs"> & Partial<Journey>): Journey {
    const { id, appId, webhookId, trigger, body, state, dueMs, attempts } = stored;
    const given = {
      ...({ id: `d${id}`, origin: { kind: "platform", deliveryId: id, webhookId }, state } as const),
      facts: readFacts(body, appId, trigger),
      tries: [...attempts],
      nextTryMs: state === "pending" ? dueMs : undefined,
    };
    return this.store.add({ ...given, ...more }, body);
  }

  #noteCall(record: Extract<PlatformRecord, { type: "request" }>) {
    const [, traceId, span] = traceparentPattern.exec(record.traceparent ?? "") ?? [];
    if (traceId === undefined || span === undefined) return;
    const { requestId, durationMs, method, path, onBehalfOf, status, code, fault } = record;
    const call = {
      requestId,
      span,
      durationMs,
      method,
      path,
      onBehalfOf,
      status,
      code,
      fault,
      callId: record.seq,
      operation: record.operationId,
    };
    this.store.addCall(call, traceId);
  }
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

export interface KeptJournal {
  readonly store: JourneyStore;
  readonly reader: QueueReader;
  /** Returns a sent body; undefined once evicted. */
  bodyOf(journeyId: string): string | undefined;
  close(): void;
}

export function keepJournal({ platform, cloud, subscribe, clock }: LocalStack): KeptJournal {
  const { db } = platform.services;
  const kinds = new Map(queueNames.map((kind) => [cloud.resources[queueTable[kind].logicalId]?.name, kind]));
  const reader = createQueueReader(cloud);
  const journal = new Journal({
    // The functions' log lines have this clock.
    now: clock.now,
    readDelivery: (id) => {
      const delivery = findDelivery(db, id);
      return delivery && { ...delivery, attempts: [] };
    },
    queueOf: (name) => kinds.get(name) ?? "other",
    setAside() {
      const [letters, quarantined] = [reader.look("dead-letters", {}), reader.look("quarantine", {})];
      return {
        deadLetters: new Set(letters.found.flatMap(({ facts }) => facts.deliveryKey ?? [])),
        quarantine: new Set(quarantined.found.map(({ facts }) => facts.id)),
      };
    },
    projectFolder: cloud.serviceFolder,
  });
  const recallAll = () => {
    for (const delivery of listDeliveries(db, undefined, mostJourneys).toReversed()) {
      journal.recall({ ...delivery, attempts: listAttempts(db, delivery.id) });
    }
    recallSetAside(journal, cloud);
  };
  const unsubscribe = subscribe((news) => {
    journal.note(news);
    // A restored stack has other deliveries; its queues are restored before this report.
    if (news.kind === "record" && news.record.type === "state") recallAll();
  });
  recallAll();
  return {
    store: journal.store,
    reader,
    bodyOf(journeyId) {
      const journey = journal.store.journeys.get(journeyId);
      if (journey?.origin.kind !== "platform") return journey?.body;
      return findDelivery(db, journey.origin.deliveryId)?.body;
    },
    close: unsubscribe,
  };
}

/** Marks earlier deliveries that are still dead-lettered or quarantined. */
function recallSetAside({ store }: Journal, cloud: LocalStack["cloud"]) {
  for (const letter of cloud.receiveAll("DeadLetterQueue")) {
    const { id, deliveryKey, reason, cause, setAsideAt: atMs } = readDeadLetter(toHeld(letter));
    const journey = store.ofEvent(deliveryKey).at(-1);
    if (journey === undefined) continue;
    store.addMessage(journey, { id, groupId: letter.groupId, deadLettered: { atMs, reason, cause } });
    journey.words += wordsOf(["dead-lettered", reason, cause]);
  }
  for (const message of cloud.receiveAll("QuarantineQueue")) {
    const { id: messageId, deliveryKey, reason, cause } = readQuarantined(toHeld(message));
    const journey = store.ofEvent(deliveryKey).at(-1);
    if (journey === undefined) continue;
    journey.quarantined = { reason, cause, messageId };
    journey.words += wordsOf(["quarantine", reason, cause]);
  }
}
