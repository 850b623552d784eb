import { isRecord, readText, withoutDepths } from "../base/json.ts";
import { callEvents, sessionEvents } from "./call-events.ts";
import { campaignEvents } from "./campaign-events.ts";
import type { CatalogueEvent, ChatEvent } from "./chat-event.ts";
import type { EventReader, OuterHead } from "./define-event.ts";
import { groupEvents, legacyConnectionEvents, userEvents } from "./group-events.ts";
import { type EventFamily, type Identity, identify } from "./identity.ts";
import { botEvents, extensionEvents, legacyMessageEvents } from "./legacy-events.ts";
import { legacyReceiptEvents, messageEvents, receiptEvents } from "./message-events.ts";
import { moderationEvents } from "./moderation-events.ts";
import { notificationEvents } from "./notification-events.ts";
import { kindOf, type Oddity, type Problem } from "./problems.ts";

/** Check `ok`. */
export type ParsedEvent = UnderstoodEvent | RefusedEvent;

/** A parsed body. */
export interface UnderstoodEvent {
  readonly ok: true;
  /** Of the catalogue, or unknown. */
  readonly event: ChatEvent;
  /** Fields of unexpected form, read by their meaning or as absent. */
  readonly oddities: readonly Oddity[];
}

/** A body without the fields that every handler needs. */
export interface RefusedEvent {
  readonly ok: false;
  /** Without values. */
  readonly problems: readonly Problem[];
}

/** What the body does not contain. */
export interface DeliveryContext {
  /** The app whose credentials the delivery has; overrides the app in the body. */
  readonly appId?: string;
  /** The receiver's result; a new computation may use newer rules. */
  readonly found?: Pick<Identity, "key" | "canRecur"> | undefined;
  /** Milliseconds since 1970. An event time over a day later is invalid. */
  readonly receivedAt?: number;
}

/**
 * Like `parseAnyEvent`, without checks of its arguments. Never throws for a JSON value. Drops what lies
 * deeper than 100 objects and lists: metadata must not hide a message.
 */
export function parseEvent(given: unknown, context: DeliveryContext = {}): ParsedEvent {
  const body = withoutDepths(given, maxNesting);
  const parsed = parseFlat(body, context);
  return body === given || !parsed.ok ? parsed : { ...parsed, oddities: [...parsed.oddities, nesting] };
}

function parseFlat(body: unknown, { appId, found, receivedAt }: DeliveryContext): ParsedEvent {
  const identity = identify(body, appId);
  if (identity === undefined || !isRecord(body)) return { ok: false, problems: [envelopeProblem(body)] };

  const { family, trigger } = identity;
  const outer = outerHead({ ...identity, ...found }, body, appId);
  const data = family === "extension" ? { to: body.to, body: body.body } : body.data;
  const reader = readers.get(family)?.get(trigger);
  if (reader !== undefined) {
    const reading = reader.read({ outer, data, body, receivedAt });
    return reading.ok || family !== "extension"
      ? reading
      : { ok: false, problems: reading.problems.map(outermost) };
  }

  const head = {
    ...outer,
    occurredAt: undefined,
    occurredAtField: undefined,
    actor: undefined,
    conversation: undefined,
  };
  const event = { kind: "unknown", family, trigger, head, data } as const;
  return { ok: true, event, oddities: [] };
}

function envelopeProblem(body: unknown): Problem {
  if (!isRecord(body)) return { path: "", expected: "an object with a trigger", found: kindOf(body) };
  if (!("to" in body || "body" in body)) {
    return { path: "trigger", expected: "text of 1 to 128 characters", found: kindOf(body.trigger) };
  }
  // Only the e-mail extension has no trigger.
  return typeof body.to === "string"
    ? { path: "body", expected: "a list", found: kindOf(body.body) }
    : { path: "to", expected: "text", found: kindOf(body.to) };
}

/** Its fields are in the body itself. */
function outermost(problem: Problem): Problem {
  return { ...problem, path: problem.path.replace(/^data\./, "") };
}

function outerHead(identity: Identity, body: Record<string, unknown>, appId: string | undefined): OuterHead {
  return {
    ...identity,
    engine: identity.family === "webhook" || identity.family === "notification" ? "current" : "legacy",
    appId: appId ?? readText(body, "appId"),
    region: readText(body, "region"),
    webhook: readText(body, "webhook"),
  };
}

/**
 * Of objects and lists; the deepest documented body has 9 levels. From some thousands on, JSON.stringify in a
 * handler would overflow the stack.
 */
const maxNesting = 100;

const nesting: Oddity = { path: "", found: "more" };

export const eventReaders = {
  webhook: {
    ...messageEvents,
    ...receiptEvents,
    ...userEvents,
    ...groupEvents,
    ...callEvents,
    ...sessionEvents,
    ...moderationEvents,
    ...campaignEvents,
  },
  legacy: { ...legacyMessageEvents, ...legacyReceiptEvents, ...legacyConnectionEvents },
  bot: botEvents,
  notification: notificationEvents,
  extension: extensionEvents,
} satisfies ReadersOf<CatalogueEvent>;

/** Each reader's result matches its event's type. */
type ReadersOf<Event extends CatalogueEvent> = {
  readonly [Family in EventFamily]: {
    readonly [One in Event as One["family"] extends Family ? One["trigger"] : never]: EventReader<One>;
  };
};

const readers: ReadonlyMap<string, ReadonlyMap<string, EventReader<CatalogueEvent>>> = new Map(
  Object.entries(eventReaders).map(([family, byTrigger]) => [family, new Map(Object.entries(byTrigger))]),
);
