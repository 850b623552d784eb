import type { Rows } from "./rows.ts";

export type QueueName = "events" | "parked-lanes" | "calls" | "dead-letters" | "quarantine";

export interface QueueFigures {
  readonly name: QueueName;
  readonly title: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** When the oldest one was sent, in milliseconds since 1970. */
  readonly oldestMs: number | undefined;
}

/** A pause, or a destination whose circuit breaker is open. */
export type Hindrance =
  | {
      readonly kind: "pause";
      readonly appId: string;
      readonly what: string;
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly by: string;
      readonly reason: string | undefined;
    }
  | {
      readonly kind: "closed";
      readonly appId: string;
      readonly destination: string;
      /** From then on, one request probes whether the destination is healthy. */
      readonly probeAtMs: number;
    };

export interface QueuesOverview {
  /** The local stack's time. */
  readonly nowMs: number;
  readonly queues: readonly QueueFigures[];
  readonly hindrances: readonly Hindrance[];
}

export interface QueueRow {
  readonly id: string;
  readonly state: "visible" | "inFlight" | "delayed";
  readonly sentAtMs: number;
  /** When a message in flight or delayed becomes visible. */
  readonly visibleAtMs: number | undefined;
  /** SQS's receive count. */
  readonly received: number;
  readonly lane: string;
  readonly appId: string;
  /** The event's trigger, or another kind of message. */
  readonly trigger: string;
  readonly deliveryKey: string | undefined;
  readonly receivedAtMs: number | undefined;
  /** Of dead letters and quarantine. */
  readonly reason: string | undefined;
  readonly cause: string | undefined;
  readonly tries: number | undefined;
}

export interface Counts {
  readonly selected: number;
  readonly byApp: Readonly<Record<string, number>>;
  readonly byTrigger: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
}

/** Set-aside messages with the same cause, app and event. */
export interface QueueGroup {
  /** Selects it, here and on the command line. */
  readonly name: string;
  readonly cause: string;
  readonly count: number;
}

/** In the queue's order; dead letters and quarantine newest first. */
export interface QueueList extends Rows<QueueRow> {
  readonly nowMs: number;
  readonly counts: Counts;
  /** The 50 largest of the matching messages, for dead letters and quarantine. */
  readonly groups: readonly QueueGroup[];
  readonly all: number;
}

export interface QueueMessage extends QueueRow {
  /** The platform's delivery, or the message; without secrets. */
  readonly content: string;
  readonly finished: readonly string[];
  /** In lines of the source, if the log has it. */
  readonly stack: string | undefined;
}

/** A conversation that waits outside its queue. */
export interface ParkedLaneRow {
  readonly id: string;
  readonly appId: string;
  readonly trigger: string | undefined;
  readonly sinceMs: number | undefined;
  /** The earliest next attempt. */
  readonly wakeAtMs: number;
  readonly heldBy: string | undefined;
  readonly cause: string | undefined;
  /** Attempts that had to wait. */
  readonly waits: number;
  readonly events: readonly {
    readonly id: string;
    readonly trigger: string;
    readonly deliveryKey: string | undefined;
    readonly receivedAtMs: number | undefined;
  }[];
  readonly hasMore: boolean;
}

export interface ParkedLanes {
  readonly nowMs: number;
  readonly lanes: readonly ParkedLaneRow[];
  /** `lanes` has at most 100 of them. */
  readonly all: number;
}

/** Selected messages: these ids, or all that match the filters. */
export interface PickedMessages {
  readonly ids?: readonly string[] | undefined;
  readonly app?: string | undefined;
  readonly trigger?: string | undefined;
  readonly cause?: string | undefined;
  readonly text?: string | undefined;
}

export interface RepairReport {
  readonly picked: number;
  readonly done: number;
  readonly remarks: readonly string[];
}
