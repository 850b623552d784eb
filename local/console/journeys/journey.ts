import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type { DeliveryTry, JourneyCall, JourneyNote, JourneyOrigin, SourceExcerpt } from "../api/journeys.ts";

/** What is kept of one delivery's way. Times are milliseconds since 1970, by the machine's clock. */
export interface Journey {
  readonly id: string;
  /** Grows by one with each journey. */
  readonly number: number;
  readonly origin: JourneyOrigin;
  readonly atMs: number;
  readonly facts: DeliveryFacts;
  /** The platform's request that caused it, where one did. */
  readonly causeRequestId: number | undefined;
  /** It was there before this world was started. */
  readonly isOld: boolean;
  /** What was received, where the platform does not keep it. */
  readonly body: string | undefined;
  state: "pending" | "delivered" | "lost";
  readonly tries: DeliveryTry[];
  nextTryMs: number | undefined;
  readonly receptions: KeptReception[];
  /** Ids of the queue's messages that hold it. */
  readonly messageIds: Set<string>;
  quarantined: KeptQuarantine | undefined;
  /** What it is found by, in lower case. */
  words: string;
}

export interface KeptQuarantine {
  readonly atMs: number;
  readonly reason: string;
  readonly problems: string;
  /** Of the message in the quarantine queue; undefined where the consumer put it there. */
  readonly messageId: string | undefined;
}

/** What a delivery's body says, as this system reads it. */
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
  /** The messages that the receiver sent for it. */
  readonly sent: readonly KeptSending[];
}

export interface KeptSending {
  readonly messageId: string;
  readonly queue: QueueKind;
  /** The queue had it before. */
  readonly isRepeated: boolean;
}

export type QueueKind = "events" | "calls" | "tickets" | "dead-letters" | "quarantine" | "other";

/** A message of the events or calls queue. */
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

/** One time that the consumer had the message in its hands. */
export interface KeptAttempt {
  readonly requestId: string;
  number: number;
  readonly atMs: number;
  endedMs: number | undefined;
  waitedMs: number | undefined;
  outcome: "running" | "handled" | "waits" | "buried" | "quarantined" | "died" | "behind";
  /** Lines of the level DEBUG told of it: without them, what is not told may have happened all the same. */
  isDetailed: boolean;
  /** How many steps were finished before, as the line `handled an event` says where nothing ran in this attempt. */
  ranBefore?: unknown;
  why: string;
  wakeAtMs: number | undefined;
  readonly runs: KeptRun[];
  readonly notes: JourneyNote[];
}

/** One trigger's work in an attempt. */
export interface KeptRun {
  readonly step: string;
  readonly atMs: number;
  span: string | undefined;
  endedMs: number | undefined;
  outcome: "running" | "ended" | "misfit" | "passedOver" | "off" | "paused" | "beside" | "failed";
  why: string;
  isShadow: boolean;
  misfit: { readonly condition: string; readonly wanted: unknown } | undefined;
  failure: KeptFailure | undefined;
  readonly effects: { readonly name: string; readonly how: string; readonly made: string | undefined }[];
  /** Ids of the flows that the event woke. */
  readonly woke: string[];
  /** Ids of its requests to the platform. */
  readonly calls: number[];
  readonly notes: JourneyNote[];
}

export interface KeptFailure {
  readonly cause: string;
  readonly kind: string;
  readonly tries: number | undefined;
  readonly isFinal: boolean;
  readonly stack: readonly string[];
  source: SourceExcerpt | undefined;
}

/** A request to the platform that an event caused. */
export interface KeptCall extends Omit<JourneyCall, "sent" | "answer" | "caused"> {
  readonly traceId: string;
  /** The journey whose run made it; undefined as long as no line tells. */
  journeyId: string | undefined;
}
