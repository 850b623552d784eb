import type { ShownBody } from "./calls.ts";

/**
 * What became of a delivery: a trigger failed or nothing arrived; something is waited for; it is under way; somebody acted;
 * nobody had anything to do; or this world was started later and knows no more than that it was delivered.
 */
export type JourneyVerdict = "failed" | "waiting" | "running" | "done" | "nothing" | "unknown";

/** One line of the list. Times are milliseconds since 1970 by the machine's clock, durations milliseconds. */
export interface JourneyRow {
  readonly id: string;
  /** Grows with each journey. */
  readonly number: number;
  readonly atMs: number;
  readonly verdict: JourneyVerdict;
  /** Why it has that verdict, in a few words. */
  readonly why: string;
  readonly appId: string;
  readonly trigger: string;
  readonly from: JourneyOrigin["kind"];
  readonly actor: string | undefined;
  readonly conversation: string | undefined;
  readonly text: string | undefined;
  /** How often the platform tried to deliver it. */
  readonly tries: number;
  readonly status: number | undefined;
  /** From when it was delivered until it was handled. */
  readonly tookMs: number | undefined;
  /** Ids of the messages that it made. */
  readonly made: readonly string[];
}

export interface JourneyList {
  readonly rows: readonly JourneyRow[];
  /** Give it as `before` to get the rows behind the last one; undefined where there are none. */
  readonly next: string | undefined;
  /** How many that fit came after the one named by `after`. */
  readonly newer: number;
  /** Of all that are kept and fit the filter but for the verdict. */
  readonly counts: Readonly<Record<JourneyVerdict, number>>;
  readonly triggers: readonly string[];
  readonly handlers: readonly string[];
}

export type JourneyOrigin =
  | { readonly kind: "platform"; readonly deliveryId: number; readonly webhookId: string }
  | { readonly kind: "elsewhere"; readonly userAgent: string }
  /** A message of the queue that no delivery of this run brought. */
  | { readonly kind: "queue" };

/** A journey as a whole, in the order in which things happen. */
export interface JourneyDetail {
  readonly row: JourneyRow;
  readonly origin: JourneyOrigin;
  readonly fact: JourneyFact;
  /** What it came from: a request of the platform, and the journey that made it; another delivery that it repeats. */
  readonly cause: JourneyLink | undefined;
  readonly causeRequestId: number | undefined;
  readonly tries: readonly DeliveryTry[];
  readonly nextTryMs: number | undefined;
  readonly received: readonly Reception[];
  readonly handling: readonly Handling[];
  /** Calls for the same fact of which no line tells which run made them. */
  readonly looseCalls: readonly JourneyCall[];
  /** Other deliveries of the same fact. */
  readonly sameFact: readonly JourneyLink[];
  /** Where it is now, where it is still somewhere. */
  readonly place: JourneyPlace | undefined;
  /** What this console can do with it. */
  readonly can: { readonly sendAgain: boolean; readonly handleAgain: boolean };
}

export interface JourneyLink {
  readonly id: string;
  readonly trigger: string;
  readonly verdict: JourneyVerdict;
}

export interface JourneyFact {
  readonly deliveryKey: string | undefined;
  readonly messageId: string | undefined;
  readonly sender: string | undefined;
  readonly receiver: string | undefined;
  readonly conversation: string | undefined;
  readonly text: string | undefined;
  readonly traceId: string | undefined;
  /** The delivery's body, redacted; undefined where it is not kept. */
  readonly body: unknown;
}

export interface DeliveryTry {
  readonly number: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
}

/** What the receiver made of one request. */
export interface Reception {
  readonly atMs: number;
  readonly durationMs: number;
  readonly status: number;
  readonly outcome: "stored" | "repeated" | "quarantined" | "refused" | "answered";
  readonly why: string;
  readonly requestId: string | undefined;
  readonly queueMessageId: string | undefined;
  /** The journey whose message the queue has in its place. */
  readonly insteadOf: JourneyLink | undefined;
}

/** One message of the queue and what was made of it. */
export interface Handling {
  readonly queueMessageId: string;
  readonly queue: string;
  readonly lane: string | undefined;
  readonly sentAtMs: number | undefined;
  /** An operator sent it again. */
  readonly isReplay: boolean;
  readonly attempts: readonly HandlingAttempt[];
  readonly buried: { readonly atMs: number; readonly reason: string; readonly cause: string } | undefined;
}

export interface HandlingAttempt {
  readonly number: number;
  readonly requestId: string;
  readonly atMs: number;
  readonly durationMs: number | undefined;
  /** What came before it: how long the message was in the queue. */
  readonly waitedMs: number | undefined;
  readonly outcome: "running" | "handled" | "waits" | "buried" | "quarantined" | "died" | "behind";
  readonly why: string;
  readonly wakeAtMs: number | undefined;
  readonly runs: readonly TriggerRunView[];
  readonly notes: readonly JourneyNote[];
}

export interface TriggerRunView {
  readonly trigger: string;
  readonly handler: string;
  readonly atMs: number;
  readonly durationMs: number | undefined;
  readonly outcome:
    | "running"
    | "acted"
    | "already"
    | "heldBack"
    | "woke"
    | "nothing"
    | "misfit"
    | "passedOver"
    | "off"
    | "paused"
    | "beside"
    | "failed"
    | "cut";
  readonly why: string;
  readonly isShadow: boolean;
  readonly misfit:
    | { readonly condition: string; readonly wanted: unknown; readonly found: unknown }
    | undefined;
  readonly failure: RunFailure | undefined;
  readonly effects: readonly {
    readonly name: string;
    readonly how: string;
    /** Says `how` in words. */
    readonly text: string;
    readonly made: string | undefined;
  }[];
  /** Ids of the flows that the event woke. */
  readonly woke: readonly string[];
  readonly calls: readonly JourneyCall[];
  readonly notes: readonly JourneyNote[];
}

export interface RunFailure {
  readonly cause: string;
  /** `ours`, `permanent`, `ill`, … as lib/effects/classify-failure.ts names it. */
  readonly kind: string;
  readonly tries: number | undefined;
  readonly isFinal: boolean;
  readonly stack: readonly string[];
  readonly source: SourceExcerpt | undefined;
}

/** The lines around the place of an error, as they were when it happened. */
export interface SourceExcerpt {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

export interface JourneyCall {
  readonly requestId: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  /** The planned fault that struck: the function may have got another answer than this, or none. */
  readonly fault: string | undefined;
  /** Its id in the view of calls. */
  readonly callId: number;
  /** Undefined where they are not kept any more. */
  readonly sent: ShownBody | undefined;
  readonly answer: ShownBody | undefined;
  /** Deliveries that it caused. */
  readonly caused: readonly JourneyLink[];
}

export interface JourneyNote {
  readonly atMs: number;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface JourneyPlace {
  readonly kind: "queue" | "lane" | "dead-letter" | "quarantine";
  readonly what: string;
  readonly untilMs: number | undefined;
}

/** The texts that the page puts onto the clipboard. */
export interface JourneyCopies {
  readonly curl: string;
  readonly fixture: string;
  /** Undefined where no trigger had it. */
  readonly test: string | undefined;
}
