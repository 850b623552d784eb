import type { Rows } from "./rows.ts";

export type QueueName = "events" | "parked-lanes" | "calls" | "dead-letters" | "quarantine";

export interface QueueFigures {
  readonly name: QueueName;
  readonly title: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** When the oldest was sent. */
  readonly oldestMs: number | undefined;
}

export type Blocker =
  | {
      readonly kind: "pause";
      readonly appId: string;
      readonly what: string;
      readonly untilMs: number;
      readonly by: string;
      readonly reason: string | undefined;
    }
  | {
      /** A developer's machine acts in the deployment's place. */
      readonly kind: "listener";
      readonly appId: string;
      readonly untilMs: number;
      readonly by: string;
    }
  | {
      readonly kind: "too-many-dead-letters";
      readonly appId: string;
    }
  | {
      readonly kind: "closed";
      readonly appId: string;
      readonly destination: string;
      /** After this, one request probes the destination. */
      readonly probeAtMs: number;
    }
  | {
      readonly kind: "held-back";
      readonly appId: string;
      readonly trigger: string;
      /** When the first of its events failed. */
      readonly sinceMs: number;
    };

export interface QueuesOverview {
  readonly nowMs: number;
  readonly queues: readonly QueueFigures[];
  readonly blockers: readonly Blocker[];
}

export interface QueueRow {
  readonly id: string;
  readonly state: "visible" | "inFlight" | "delayed";
  readonly sentAtMs: number;
  /** When a message in flight or delayed becomes visible. */
  readonly visibleAtMs: number | undefined;
  readonly received: number;
  readonly lane: string;
  readonly appId: string;
  readonly trigger: string;
  readonly deliveryKey: string | undefined;
  readonly receivedAtMs: number | undefined;
  /** Only of dead letters and quarantine. */
  readonly reason: string | undefined;
  readonly cause: string | undefined;
  readonly tries: number | undefined;
  /** Trigger handlers that failed; only of dead letters. */
  readonly failedTriggers: readonly string[];
}

export interface Counts {
  readonly selected: number;
  readonly byApp: Readonly<Record<string, number>>;
  readonly byTrigger: Readonly<Record<string, number>>;
  readonly byFailedTrigger: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
}

export interface QueueGroup {
  /** Selects the group, also on the command line. */
  readonly name: string;
  readonly cause: string;
  readonly count: number;
}

/** In the queue's order; dead letters and quarantine newest first. */
export interface QueueList extends Rows<QueueRow> {
  readonly nowMs: number;
  readonly counts: Counts;
  readonly groups: readonly QueueGroup[];
  readonly all: number;
}

export interface QueueMessage extends QueueRow {
  readonly content: string;
  readonly finished: readonly string[];
  readonly stack: string | undefined;
}

export interface ParkedLaneRow {
  readonly id: string;
  readonly appId: string;
  readonly trigger: string | undefined;
  readonly sinceMs: number | undefined;
  /** The earliest next attempt. */
  readonly wakeAtMs: number;
  /** Undefined if the lane has a time of its own. */
  readonly waitsFor: string | undefined;
  readonly canBeWoken: boolean;
  readonly cause: string | undefined;
  readonly waits: number;
  readonly events: readonly Pick<QueueRow, "id" | "trigger" | "deliveryKey" | "receivedAtMs">[];
  readonly hasMore: boolean;
}

export interface ParkedLanes {
  readonly nowMs: number;
  readonly lanes: readonly ParkedLaneRow[];
  readonly all: number;
}

export interface RepairReport {
  readonly picked: number;
  readonly done: number;
  readonly remarks: readonly string[];
}
