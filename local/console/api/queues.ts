export type QueueName = "events" | "parked-lanes" | "calls" | "dead-letters" | "quarantine";

/** How many messages a queue has, and of what. */
export interface QueueFigures {
  readonly name: QueueName;
  readonly title: string;
  /** Can be had now. */
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** When the oldest one came, in milliseconds since 1970. */
  readonly oldestMs: number | undefined;
}

/** Why messages wait: what is paused, and which destinations are not asked at present. */
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
      /** From then on one request finds out whether it is well again. */
      readonly probeAtMs: number;
    };

export interface QueuesOverview {
  /** The world's time. */
  readonly nowMs: number;
  readonly queues: readonly QueueFigures[];
  readonly hindrances: readonly Hindrance[];
}

/** A message of a queue. */
export interface QueueRow {
  readonly id: string;
  readonly state: "visible" | "inFlight" | "delayed";
  readonly sentAtMs: number;
  /** When one that is in flight or delayed can be had. */
  readonly visibleAtMs: number | undefined;
  /** How often it was handed out. */
  readonly received: number;
  readonly lane: string;
  readonly appId: string;
  /** The event's trigger, or what else it is. */
  readonly trigger: string;
  readonly deliveryKey: string | undefined;
  readonly receivedAtMs: number | undefined;
  /** Of dead letters and quarantine: why it is there. */
  readonly reason: string | undefined;
  readonly cause: string | undefined;
  readonly tries: number | undefined;
}

/** What is picked, whole numbers by name. */
export interface Counts {
  readonly selected: number;
  readonly byApp: Readonly<Record<string, number>>;
  readonly byTrigger: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
}

/** Messages that were set aside for the same cause, of one app and event. */
export interface QueueGroup {
  /** What picks the group, here and on the command line. */
  readonly name: string;
  readonly cause: string;
  readonly count: number;
}

export interface QueueList {
  readonly nowMs: number;
  /** In the order in which they can be had; of dead letters and quarantine the newest first. */
  readonly messages: readonly QueueRow[];
  readonly hasMore: boolean;
  /** Of those that match. */
  readonly counts: Counts;
  /** Of those that match, of dead letters and quarantine: the largest 50. */
  readonly groups: readonly QueueGroup[];
  /** How many the queue has. */
  readonly all: number;
}

export interface QueueMessage extends QueueRow {
  /** What the platform sent, or the message itself; without secrets. */
  readonly content: string;
  readonly finished: readonly string[];
  /** Where the failure was made, in the lines of the source, as the log has it. */
  readonly stack: string | undefined;
}

/** A conversation that waits outside its queue. */
export interface ParkedLaneRow {
  readonly id: string;
  readonly appId: string;
  readonly trigger: string | undefined;
  readonly sinceMs: number | undefined;
  /** Nothing is tried before. */
  readonly wakeAtMs: number;
  /** What is paused, where it waits for that. */
  readonly heldBy: string | undefined;
  readonly cause: string | undefined;
  /** Attempts that waited for something. */
  readonly waits: number;
  /** Its first events, at most 50. */
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
  /** How many are parked; the first 100 are told. */
  readonly all: number;
}

/** Which messages are meant: these alone, or all that fit. */
export interface PickedMessages {
  readonly ids?: readonly string[] | undefined;
  readonly app?: string | undefined;
  readonly trigger?: string | undefined;
  readonly cause?: string | undefined;
  readonly text?: string | undefined;
}

/** What a replay or a drop came to. */
export interface RepairReport {
  readonly picked: number;
  readonly done: number;
  /** Why the others stay, in words. */
  readonly remarks: readonly string[];
}
