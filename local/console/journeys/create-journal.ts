import type { WorldNews } from "../../stack/world-news.ts";
import type { JournalOptions, StoredDelivery } from "./journal-options.ts";
import { JourneyStore } from "./journey-store.ts";
import { createBatchNotes } from "./note-batch.ts";
import { DeliveryNotes } from "./note-delivery.ts";
import { LineNotes } from "./note-line.ts";
import { ReceiverNotes } from "./note-receiver.ts";

/** Follows every delivery, from the event to its effects, in the local stack's news. */
export interface Journal {
  readonly store: JourneyStore;
  note(news: WorldNews): void;
  /** Oldest first. */
  recall(delivery: StoredDelivery): void;
  clear(): void;
  /** Must be called before each replay is sent. */
  readonly noteRepetition: (ofJourney: string, deliveryId: number) => void;
}

/** The cost of each piece of news does not grow with the journal. */
export function createJournal(options: JournalOptions): Journal {
  const store = new JourneyStore(options.mostJourneys);
  const lines = new LineNotes(store, options);
  const receiver = new ReceiverNotes(store, options, lines);
  const deliveries = new DeliveryNotes(store, options, receiver);
  const batches = createBatchNotes(lines, options.now);

  const clear = () => {
    store.clear();
    lines.clear();
    receiver.clear();
  };
  return {
    store,
    clear,
    recall: (delivery) => deliveries.recall(delivery),
    noteRepetition: (...repetition) => deliveries.noteRepetition(...repetition),
    note(news) {
      switch (news.kind) {
        case "record":
          if (news.record.type === "state") clear();
          else deliveries.note(news.record);
          return;
        case "exchange":
          receiver.noteExchange(news.exchange);
          return;
        case "sent":
          receiver.noteSent(news.sent);
          return;
        case "invocation":
          receiver.noteInvocation(news);
          return;
        case "line":
          lines.note(news);
          return;
        case "reload":
          lines.noteReload(news.state);
          return;
        case "batch":
          batches.note(news.batch);
          return;
      }
    },
  };
}
