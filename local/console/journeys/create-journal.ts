import type { WorldNews } from "../../world-news.ts";
import { createJourneyStore, type JourneyStore } from "./journey-store.ts";
import { createBatchNotes } from "./note-batch.ts";
import { createDeliveryNotes } from "./note-delivery.ts";
import { createLineNotes } from "./note-line.ts";
import { createReceiverNotes } from "./note-receiver.ts";
import type { QueueKind } from "./journey.ts";

/** What the platform keeps of a delivery. */
export interface StoredDelivery {
  readonly id: number;
  readonly appId: string;
  readonly webhookId: string;
  readonly trigger: string;
  readonly body: string;
  readonly state: "pending" | "delivered" | "lost";
  readonly createdMs: number;
  readonly dueMs: number | undefined;
  readonly attempts: readonly {
    readonly number: number;
    readonly atMs: number;
    readonly durationMs: number;
    readonly status: number | undefined;
    readonly error: string | undefined;
  }[];
}

export interface JournalOptions {
  readonly now: () => number;
  readonly readDelivery: (id: number) => StoredDelivery | undefined;
  readonly queueOf: (queueName: string) => QueueKind;
  /** Where the sources lie that stacks name. */
  readonly projectFolder: string;
  /** Default: 10,000. */
  readonly mostJourneys?: number;
}

/** Follows every delivery from the fact to what it caused, as the world's news come in. */
export interface Journal {
  readonly store: JourneyStore;
  note(news: WorldNews): void;
  /** Takes in a delivery that was there before; give the oldest first. */
  recall(delivery: StoredDelivery): void;
  /** Hears of each replay before it is sent. */
  readonly noteRepetition: (ofJourney: string, deliveryId: number) => void;
}

/** Makes an empty journal. Each piece of news costs the same, however much is kept. */
export function createJournal(options: JournalOptions): Journal {
  const store = createJourneyStore(options.mostJourneys);
  const lines = createLineNotes(store, options);
  const receiver = createReceiverNotes(store, options, lines.release);
  const deliveries = createDeliveryNotes(store, options, receiver);
  const batches = createBatchNotes(store, lines);

  const clear = () => {
    store.clear();
    lines.clear();
    receiver.clear();
  };
  return {
    store,
    recall: deliveries.recall,
    noteRepetition: deliveries.noteRepetition,
    note(news) {
      switch (news.kind) {
        case "record":
          if (news.record.type === "state") clear();
          else deliveries.note(news.record);
          return;
        case "exchange":
          return receiver.noteExchange(news.exchange);
        case "sent":
          return receiver.noteSent(news.sent);
        case "invocation":
          return receiver.noteInvocation(news);
        case "line":
          return lines.note(news);
        case "batch":
          return batches.note(news.batch);
      }
    },
  };
}
