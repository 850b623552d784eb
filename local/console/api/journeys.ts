import type { OutcomeName } from "../../../lib/effects/outcomes.ts";
import type { ShownBody } from "./calls.ts";
import type { Rows } from "./rows.ts";

/**
 * `failed`: a trigger failed, or nothing arrived. `nothing`: no trigger acted. `unknown`: delivered before
 * this start.
 */
export type JourneyVerdict = "failed" | "waiting" | "running" | "done" | "nothing" | "unknown";

export interface Judgement {
  readonly verdict: JourneyVerdict;
  readonly title: string;
  readonly why: string;
}

/** Times are by the local stack's clock. */
export interface JourneyRow extends Judgement {
  readonly id: string;
  readonly atMs: number;
  readonly appId: string;
  readonly trigger: string;
  readonly actor: string | undefined;
  readonly conversation: string | undefined;
  readonly text: string | undefined;
  /** Milliseconds from delivery to end of handling. */
  readonly tookMs: number | undefined;
}

export interface JourneyList extends Rows<JourneyRow> {
  /** Kept journeys per verdict, by all other filters. */
  readonly counts: Readonly<Partial<Record<JourneyVerdict, number>>>;
  readonly triggers: readonly string[];
  readonly handlers: readonly string[];
}

export type JourneyOrigin =
  | { readonly kind: "platform"; readonly deliveryId: number; readonly webhookId: string }
  | { readonly kind: "elsewhere"; readonly userAgent: string }
  /** Not caused by a delivery of this run. */
  | { readonly kind: "queue" };

export interface JourneyDetail {
  readonly row: JourneyRow;
  readonly origin: JourneyOrigin;
  readonly event: JourneyEvent;
  readonly cause: JourneyLink | undefined;
  readonly tries: readonly DeliveryTry[];
  readonly nextTryMs: number | undefined;
  readonly received: readonly Reception[];
  readonly handling: readonly Handling[];
  readonly sameEvent: readonly JourneyLink[];
  readonly place: JourneyPlace | undefined;
  readonly can: { readonly sendAgain: boolean; readonly handleAgain: boolean };
}

export interface JourneyLink extends Judgement {
  readonly id: string;
  readonly trigger: string;
}

export interface MessageMark extends Judgement {
  readonly id: string;
}

export interface JourneyEvent {
  readonly deliveryKey: string | undefined;
  readonly messageId: string | undefined;
  readonly sender: string | undefined;
  readonly receiver: string | undefined;
  readonly conversation: string | undefined;
  readonly text: string | undefined;
  readonly body: unknown;
}

export interface DeliveryTry {
  readonly number: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
}

export interface Reception {
  readonly atMs: number;
  readonly durationMs: number;
  readonly status: number;
  readonly outcome: "stored" | "repeated" | "quarantined" | "refused" | "answered";
  readonly why: string;
  readonly requestId: string | undefined;
  readonly queueMessageId: string | undefined;
}

export interface Handling {
  readonly queueMessageId: string;
  readonly queue: string;
  readonly lane: string | undefined;
  readonly isReplay: boolean;
  readonly attempts: readonly HandlingAttempt[];
  readonly deadLettered:
    | { readonly atMs: number; readonly reason: string; readonly cause: string }
    | undefined;
}

export interface HandlingAttempt extends Judgement {
  readonly number: number;
  readonly requestId: string;
  readonly atMs: number;
  readonly durationMs: number | undefined;
  readonly runs: readonly TriggerRunView[];
}

export interface TriggerRunView extends Judgement {
  readonly trigger: string;
  readonly handler: string;
  readonly atMs: number;
  readonly durationMs: number | undefined;
  readonly outcome: OutcomeName | "running";
  readonly isShadow: boolean;
  readonly misfit:
    | { readonly condition: string; readonly wanted: unknown; readonly found: unknown }
    | undefined;
  readonly failure: RunFailure | undefined;
  readonly effects: readonly {
    readonly name: string;
    readonly kind: string;
    readonly how: string;
    readonly text: string;
    readonly made: string | undefined;
  }[];
  readonly woke: readonly string[];
  readonly calls: readonly JourneyCall[];
}

export interface RunFailure {
  readonly isFinal: boolean;
  readonly stack: readonly string[];
  readonly source: SourceExcerpt | undefined;
}

/** Source around an error, as it was then. */
export interface SourceExcerpt {
  readonly file: string;
  readonly line: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

export interface JourneyCall {
  readonly requestId: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  /** The function may have received another answer, or none. */
  readonly fault: string | undefined;
  readonly callId: number;
  /** Undefined once bodies are evicted. */
  readonly sent: ShownBody | undefined;
  readonly answer: ShownBody | undefined;
  readonly caused: readonly JourneyLink[];
}

export interface JourneyPlace {
  readonly kind: "queue" | "lane" | "dead-letter" | "quarantine";
  readonly why: string;
}

export interface JourneyCopies {
  readonly curl: string;
  readonly fixture: string;
  readonly test: string | undefined;
}
