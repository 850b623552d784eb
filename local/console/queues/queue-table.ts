import type { QueueName } from "../api/queues.ts";

export const queueTable = {
  events: { title: "Events", logicalId: "EventsQueue" },
  "parked-lanes": { title: "Parked lanes", logicalId: "ParkedLanesQueue" },
  calls: { title: "Calls", logicalId: "CallsQueue" },
  "dead-letters": { title: "Dead letters", logicalId: "DeadLetterQueue" },
  quarantine: { title: "Quarantine", logicalId: "QuarantineQueue" },
} as const satisfies Record<QueueName, { title: string; logicalId: string }>;

export const queueNames: readonly QueueName[] = [
  "events",
  "parked-lanes",
  "calls",
  "dead-letters",
  "quarantine",
];
