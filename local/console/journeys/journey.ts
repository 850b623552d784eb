import type { OutcomeFields, OutcomeName } from "../../../lib/effects/outcomes.ts";
import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type {
  DeliveryTry,
  JourneyCall,
  JourneyNote,
  JourneyOrigin,
  SourceExcerpt,
  TriggerRunView,
} from "../api/journeys.ts";

/** Milliseconds since 1970, by the machine's clock. */
export interface Journey {
  readonly id: string;
  readonly number: number;
  readonly origin: JourneyOrigin;
  readonly atMs: number;
  readonly facts: DeliveryFacts;
  /** The platform's request that caused it, if known. */
  readonly causeRequestId: number | undefined;
  /** It is older than this start of the local stack. */
  readonly isOld: boolean;
  /** The received body, if the platform does not keep it. */
  readonly body: string | undefined;
  state: "pending" | "delivered" | "lost";
  readonly tries: DeliveryTry[];
  nextTryMs: number | undefined;
  readonly receptions: KeptReception[];
  readonly messageIds: Set<string>;
  quarantined: KeptQuarantine | undefined;
  words: string;
}

export interface KeptQuarantine {
  readonly atMs: number;
  readonly reason: string;
  readonly problems: string;
  /** In the quarantine queue; undefined if the consumer quarantined it. */
  readonly messageId: string | undefined;
}

export interface DeliveryFacts {
  readonly appId: string;
  readonly trigger: string;
  readonly deliveryKey: string | undefined;
  readonly messageId: string | undefined;
  readonly sender: string | undefined;
  readonly receiver: string | undefined;
  readonly conversation: string | undefined;
  readonly text: string | undefined;
}

export interface KeptReception {
  readonly exchange: Omit<HttpExchange, "body">;
  readonly sent: readonly KeptSending[];
}

export interface KeptSending {
  readonly messageId: string;
  readonly queue: QueueKind;
  readonly isRepeated: boolean;
}

export type QueueKind = "events" | "calls" | "tickets" | "dead-letters" | "quarantine" | "other";

export interface KeptMessage {
  readonly id: string;
  readonly queue: QueueKind;
  readonly journeyId: string;
  readonly sentAtMs: number | undefined;
  readonly groupId: string | undefined;
  readonly isReplay: boolean;
  readonly attempts: KeptAttempt[];
  buried: { readonly atMs: number; readonly reason: string; readonly cause: string } | undefined;
}

export interface KeptAttempt {
  readonly requestId: string;
  number: number;
  readonly atMs: number;
  endedMs: number | undefined;
  waitedMs: number | undefined;
  outcome: OutcomeName | "running" | "handled";
  /** DEBUG lines exist; else missing lines prove nothing. */
  isDetailed: boolean;
  /** Of the line `handled an event`. */
  ended?: OutcomeFields | undefined;
  why: string;
  readonly runs: KeptRun[];
  readonly notes: JourneyNote[];
}

export interface KeptRun {
  readonly step: string;
  readonly atMs: number;
  span: string | undefined;
  endedMs: number | undefined;
  outcome: OutcomeName | "running";
  why: string;
  isShadow: boolean;
  misfit: { readonly condition: string; readonly wanted: unknown } | undefined;
  failure: KeptFailure | undefined;
  readonly effects: Omit<TriggerRunView["effects"][number], "text">[];
  readonly woke: string[];
  readonly calls: number[];
  readonly notes: JourneyNote[];
}

export interface KeptFailure {
  readonly cause: string;
  readonly isFinal: boolean;
  readonly stack: readonly string[];
  source: SourceExcerpt | undefined;
}

export interface KeptCall extends Omit<JourneyCall, "sent" | "answer" | "caused"> {
  readonly traceId: string;
  /** Undefined until a log line names the run. */
  journeyId: string | undefined;
}
