import { parseJson } from "../../../lib/base/json.ts";
import type { OutcomeFields, OutcomeName } from "../../../lib/effects/outcomes.ts";
import { seenIn } from "../../../lib/events/conditions/seen.ts";
import { identify } from "../../../lib/events/identity.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { Delivery } from "../../platform/store/webhooks.ts";
import type {
  DeliveryTry,
  Handling,
  JourneyCall,
  JourneyEvent,
  JourneyOrigin,
  Reception,
  RunFailure,
  TriggerRunView,
} from "../api/journeys.ts";
import type { QueueName } from "../api/queues.ts";

export interface OwnLine {
  readonly atMs: number;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A delivery and its handling, by the local stack's clock. */
export interface Journey {
  readonly id: string;
  readonly origin: JourneyOrigin;
  readonly atMs: number;
  readonly facts: DeliveryFacts;
  readonly causeRequestId: number | undefined;
  readonly isOld: boolean;
  /** Received body, if the platform does not keep it and it is short. */
  readonly body: string | undefined;
  state: Delivery["state"];
  readonly tries: DeliveryTry[];
  nextTryMs: number | undefined;
  /** Tries that the platform gave up before an answer. */
  awaited: number;
  readonly receptions: KeptReception[];
  readonly messages: KeptMessage[];
  quarantined:
    | {
        readonly reason: string;
        readonly cause: string;
        /** Id in the quarantine queue; undefined if the consumer quarantined the event. */
        readonly messageId: string | undefined;
      }
    | undefined;
  words: string;
  readonly names: string[];
}

interface DeliveryFacts extends Omit<JourneyEvent, "body"> {
  readonly appId: string;
  readonly trigger: string;
}

export interface KeptReception extends Pick<Reception, "atMs" | "durationMs" | "status" | "requestId"> {
  readonly answer: Buffer;
  readonly sent: KeptSending[];
}

export interface KeptSending {
  readonly messageId: string;
  readonly queue: QueueKind;
  readonly isRepeated: boolean;
}

export type QueueKind = QueueName | "other";

export function isOfEvents(queue: QueueKind): boolean {
  return queue === "events" || queue === "calls";
}

export interface KeptMessage {
  readonly id: string;
  readonly queue: QueueKind;
  readonly groupId: string | undefined;
  readonly isReplay: boolean;
  readonly attempts: KeptAttempt[];
  deadLettered: Handling["deadLettered"];
}

export interface KeptAttempt {
  readonly requestId: string;
  /** Trigger whose lane it is in; undefined in the conversation's. */
  triggerLane?: unknown;
  number: number;
  readonly atMs: number;
  endedMs: number | undefined;
  /** Receipt by the receiver, from the line `handled an event`. */
  receivedAtMs?: number;
  outcome: OutcomeName | "running" | "handled";
  /** From the line `handled an event`. */
  ended?: OutcomeFields | undefined;
  why: string;
  readonly runs: KeptRun[];
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
  failure: RunFailure | undefined;
  readonly effects: Omit<TriggerRunView["effects"][number], "text">[];
  readonly woke: string[];
}

export interface KeptCall extends Omit<JourneyCall, "sent" | "answer" | "caused"> {
  readonly span: string;
}

export interface StoredDelivery
  extends Pick<
    Delivery,
    "id" | "appId" | "webhookId" | "trigger" | "body" | "state" | "createdMs" | "dueMs"
  > {
  readonly attempts: readonly DeliveryTry[];
}

/** Ids that are still dead-lettered or quarantined. */
export interface SetAsideNow {
  /** Delivery keys. */
  readonly deadLetters: Pick<ReadonlySet<string>, "has">;
  /** Message ids. */
  readonly quarantine: Pick<ReadonlySet<string>, "has">;
}

export interface JournalOptions {
  readonly now: () => number;
  readonly readDelivery: (id: number) => StoredDelivery | undefined;
  readonly queueOf: (queueName: string) => QueueKind;
  readonly setAside: () => SetAsideNow;
  /** Folder of paths in stack traces. */
  readonly projectFolder: string;
  /** Default: 10,000. */
  readonly mostJourneys?: number;
}

export function isQuarantined({ quarantined, messages }: Pick<Journey, "quarantined" | "messages">): boolean {
  const last = messages.at(-1);
  return quarantined !== undefined && (!last || last.attempts.at(-1)?.outcome === "quarantined");
}

export function handlerOf({ step }: Pick<KeptRun, "step">): string {
  return step.slice(step.indexOf(" ") + 1);
}

export function runsOf({ messages }: Journey): readonly KeptRun[] {
  return messages.flatMap(({ attempts }) => attempts.flatMap(({ runs }) => runs));
}

const longestText = 300;

/** Reads a delivery's body as the deployed functions do; few fields if it is no event. */
export function readFacts(body: string, appId: string, trigger = ""): DeliveryFacts {
  const content = parseJson(body);
  const identity = identify(content, appId);
  const parsed = parseEvent(content, { appId });
  const seen = parsed.ok ? seenIn(parsed.event) : {};
  const actor = parsed.ok ? parsed.event.head.actor : undefined;
  const { group, receiver, messageId, text } = seen;
  return {
    appId,
    trigger: identity?.trigger ?? trigger,
    deliveryKey: identity?.key,
    messageId,
    sender: seen.sender ?? (typeof actor === "string" ? actor : undefined),
    receiver: group ?? receiver,
    conversation: parsed.ok ? (seen.conversation ?? parsed.event.head.conversation?.id) : undefined,
    text: text?.slice(0, longestText),
  };
}

/** Returns an event's value for a condition. The log omits it: it may be a message's text. */
export function foundFor(condition: string, body: unknown, appId: string): unknown {
  const parsed = parseEvent(body, { appId });
  const seen = new Map(Object.entries(parsed.ok ? seenIn(parsed.event) : {}));
  return seen.get(condition === "from" ? "sender" : condition);
}
