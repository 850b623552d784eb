import { findDelivery, listAttempts, listDeliveries } from "../../platform/store/webhooks.ts";
import type { World } from "../../stack/world.ts";
import { createJournal, type Journal } from "./create-journal.ts";
import type { StoredDelivery } from "./journal-options.ts";
import type { QueueKind } from "./journey.ts";
import { mostJourneys } from "./journey-store.ts";
import { recallSetAside } from "./recall-set-aside.ts";

/** The queues that a journey can pass, by logical id in infrastructure/queues.yml. */
const queueKinds: Readonly<Record<string, QueueKind>> = {
  EventsQueue: "events",
  CallsQueue: "calls",
  ParkedLanesQueue: "tickets",
  DeadLetterQueue: "dead-letters",
  QuarantineQueue: "quarantine",
};

export interface KeptJournal extends Journal {
  /** Returns a delivery's body as it was sent; undefined if it is no longer kept. */
  bodyOf(journeyId: string): string | undefined;
  /** Forgets all but what the platform and the queues keep. */
  reread(): void;
  close(): void;
}

/** Follows every delivery from now on, and recovers what is known of earlier ones. */
export function keepJournal({ platform, cloud, subscribe, clock }: World): KeptJournal {
  const { db } = platform.services;
  const kinds = new Map(
    Object.entries(queueKinds).map(([logicalId, kind]) => [cloud.resources[logicalId]?.name, kind]),
  );
  const journal = createJournal({
    // The functions' log lines have the same clock.
    now: () => clock?.now() ?? Date.now(),
    readDelivery: (id) => {
      const delivery = findDelivery(db, id);
      return delivery && { ...delivery, attempts: [] };
    },
    queueOf: (name) => kinds.get(name) ?? "other",
    projectFolder: cloud.serviceFolder,
  });
  const recallAll = () => {
    for (const delivery of listDeliveries(db, undefined, mostJourneys).toReversed()) {
      const stored: StoredDelivery = { ...delivery, attempts: listAttempts(db, delivery.id) };
      journal.recall(stored);
    }
    recallSetAside(journal.store, cloud);
  };
  const unsubscribe = subscribe((news) => {
    journal.note(news);
    // A restored stack has other deliveries. Its queues are restored before the platform reports.
    if (news.kind === "record" && news.record.type === "state") recallAll();
  });
  recallAll();
  return {
    ...journal,
    bodyOf(journeyId) {
      const journey = journal.store.journeys.get(journeyId);
      if (journey?.origin.kind !== "platform") return journey?.body;
      return findDelivery(db, journey.origin.deliveryId)?.body;
    },
    reread() {
      journal.clear();
      recallAll();
    },
    close: unsubscribe,
  };
}
