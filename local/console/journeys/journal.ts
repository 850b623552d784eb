import type { PlatformRecord } from "../../platform/services/records.ts";
import type { WorldNews } from "../../stack/world-news.ts";
import { type JournalOptions, type Journey, readFacts, type StoredDelivery } from "./journey.ts";
import { JourneyStore, wordsOf } from "./journey-store.ts";
import { LineNotes } from "./line-notes.ts";
import { ReceptionNotes } from "./note-receptions.ts";

/** Follows deliveries in the local stack's news, at a cost that does not grow with the journal. */
export class Journal {
  readonly store: JourneyStore;
  readonly #options: JournalOptions;
  readonly #lines: LineNotes;
  readonly #receptions: ReceptionNotes;

  constructor(options: JournalOptions) {
    this.store = new JourneyStore(options.mostJourneys);
    this.#options = options;
    this.#lines = new LineNotes(this.store, options);
    this.#receptions = new ReceptionNotes(this.store, options, this.#lines);
  }

  note(news: WorldNews): void {
    const [lines, receptions] = [this.#lines, this.#receptions];
    if (news.kind === "record") this.#noteRecord(news.record);
    else if (news.kind === "exchange") receptions.noteExchange(news.exchange);
    else if (news.kind === "sent") receptions.noteSent(news.sent);
    else if (news.kind === "invocation") receptions.noteInvocation(news);
    else if (news.kind === "line") lines.note(news);
    else if (news.kind === "reload") lines.noteReload(news.state);
    else if (news.kind === "batch") lines.noteBatch(news.batch);
  }

  clear(): void {
    for (const all of [this.store, this.#lines, this.#receptions]) all.clear();
  }

  recall(stored: StoredDelivery): void {
    this.#add(stored, { atMs: stored.createdMs, isOld: true });
  }

  #noteRecord(record: PlatformRecord): void {
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

  #findOrAdd(id: number, causeRequestId?: number): Journey | undefined {
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

  #noteCall(record: Extract<PlatformRecord, { type: "request" }>): void {
    const [, traceId, span] = traceparentPattern.exec(record.traceparent ?? "") ?? [];
    if (traceId === undefined || span === undefined) return;
    const { requestId, durationMs, method, path, onBehalfOf, status, code, fault } = record;
    const call = {
      ...{ requestId, span, durationMs, method, path, onBehalfOf, status, code, fault },
      ...{ callId: record.seq, operation: record.operationId, atMs: this.#options.now() - durationMs },
    };
    this.store.addCall(call, traceId);
  }
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
