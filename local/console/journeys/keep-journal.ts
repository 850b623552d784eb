import { readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { findDelivery, listAttempts, listDeliveries } from "../../platform/store/webhooks.ts";
import type { World } from "../../stack/world.ts";
import { toHeld } from "../queues/look-at-queue.ts";
import { Journal } from "./journal.ts";
import type { QueueKind } from "./journey.ts";
import { type JourneyStore, mostJourneys, wordsOf } from "./journey-store.ts";

/** The queues that a journey can pass, by logical id in infrastructure/queues.yml. */
const queueKinds: Readonly<Record<string, QueueKind>> = {
  EventsQueue: "events",
  CallsQueue: "calls",
  ParkedLanesQueue: "tickets",
  DeadLetterQueue: "dead-letters",
  QuarantineQueue: "quarantine",
};

export interface KeptJournal {
  readonly store: JourneyStore;
  /** Returns a delivery's body as it was sent; undefined if it is no longer kept. */
  bodyOf(journeyId: string): string | undefined;
  reread(): void;
  close(): void;
}

export function keepJournal({ platform, cloud, subscribe, clock }: World): KeptJournal {
  const { db } = platform.services;
  const kinds = new Map(
    Object.entries(queueKinds).map(([logicalId, kind]) => [cloud.resources[logicalId]?.name, kind]),
  );
  const journal = new Journal({
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
      journal.recall({ ...delivery, attempts: listAttempts(db, delivery.id) });
    }
    recallSetAside(journal, cloud);
  };
  const unsubscribe = subscribe((news) => {
    journal.note(news);
    // A restored stack has other deliveries. Its queues are restored before the platform reports.
    if (news.kind === "record" && news.record.type === "state") recallAll();
  });
  recallAll();
  return {
    store: journal.store,
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

/** Marks the deliveries from before this start that are still in a dead-letter queue or in quarantine. */
function recallSetAside({ store }: Journal, cloud: Pick<World["cloud"], "receiveAll">): void {
  for (const letter of cloud.receiveAll("DeadLetterQueue")) {
    const { id, deliveryKey, reason, cause, setAsideAt: atMs } = readDeadLetter(toHeld(letter));
    const journey = store.ofEvent(deliveryKey).at(-1);
    if (journey === undefined) continue;
    store.addMessage(journey, { id, groupId: letter.groupId, buried: { atMs, reason, cause } });
    journey.words += wordsOf(["buried", reason, cause]);
  }
  for (const message of cloud.receiveAll("QuarantineQueue")) {
    const { id: messageId, deliveryKey, reason, cause } = readQuarantined(toHeld(message));
    const journey = store.ofEvent(deliveryKey).at(-1);
    if (journey === undefined) continue;
    journey.quarantined = { reason, cause, messageId };
    journey.words += wordsOf(["quarantine", reason, cause]);
  }
}
