import { isRecord } from "../base/json.ts";
import type { CatalogueEvent, ChatEvent } from "./chat-event.ts";
import type { EventReader, OuterHead } from "./define-event.ts";
import { eventReaders } from "./event-readers.ts";
import { type EventFamily, type Identity, identify } from "./identity.ts";
import { isNestedBeyond, maxNesting } from "./nesting.ts";
import type { Oddity } from "./oddities.ts";
import { kindOf, type Problem } from "./problems.ts";
import { readText } from "./read-path.ts";

/** What `parseEvent` makes of a body: `ok` tells an event from a refusal. */
export type ParsedEvent = UnderstoodEvent | RefusedEvent;

/** A body that was understood. */
export interface UnderstoodEvent {
  readonly ok: true;
  /** What the delivery tells. */
  readonly event: ChatEvent;
  /** What did not come in a form that is known, and was read as what it means or as absent. */
  readonly oddities: readonly Oddity[];
}

/** A body that lacks what no trigger can do without. */
export interface RefusedEvent {
  readonly ok: false;
  /** What is wrong with it, never with a value. */
  readonly problems: readonly Problem[];
}

/** What the receiver of the delivery knows and the body does not say. */
export interface DeliveryContext {
  /** The app whose credentials let the delivery in; it wins over the app that the body names. */
  readonly appId?: string;
  /** What the receiver found; it wins over what is found again, which may be by newer rules. */
  readonly found?: Pick<Identity, "key" | "canRecur"> | undefined;
  /** When it came, in milliseconds since 1970: what it says to happen later than a day after is no time. */
  readonly receivedAt?: number;
}

/**
 * Understands the body of any delivery. Refuses only what no trigger can do without; fields of odd form are read as
 * what they mean or as absent, and told as `oddities` (docs/reading.md). Keeps unknown fields, passes unknown triggers
 * through, and never throws for a JSON value.
 * @example
 * const parsed = parseEvent(JSON.parse(body));
 * if (parsed.ok && parsed.event.kind === "known" && parsed.event.trigger === "message_sent")
 *   console.log(parsed.event.message.data.text);
 */
export function parseEvent(body: unknown, { appId, found, receivedAt }: DeliveryContext = {}): ParsedEvent {
  if (isNestedBeyond(body, maxNesting)) return { ok: false, problems: [nestingProblem] };
  const identity = identify(body, appId);
  if (identity === undefined || !isRecord(body)) return { ok: false, problems: [envelopeProblem(body)] };

  const { family, trigger } = identity;
  const outer = outerHead({ ...identity, ...found }, body, appId);
  const data = family === "extension" ? { to: body.to, body: body.body } : body.data;
  const reader = readers[family].get(trigger);
  if (reader !== undefined) {
    const reading = reader.read({ outer, data, body, receivedAt });
    return reading.ok || family !== "extension"
      ? reading
      : { ok: false, problems: reading.problems.map(outermost) };
  }

  const noFacts = {
    occurredAt: undefined,
    occurredAtField: undefined,
    actor: undefined,
    conversation: undefined,
  };
  const event = { kind: "unknown", family, trigger, head: { ...outer, ...noFacts }, data } as const;
  return { ok: true, event, oddities: [] };
}

const nestingProblem: Problem = {
  path: "",
  expected: `at most ${maxNesting} objects and lists inside each other`,
  found: "more",
};

function envelopeProblem(body: unknown): Problem {
  if (!isRecord(body)) return { path: "", expected: "an object with a trigger", found: kindOf(body) };
  if (!("to" in body || "body" in body)) {
    return { path: "trigger", expected: "text of 1 to 128 characters", found: kindOf(body.trigger) };
  }
  // Of all deliveries, only the e-mail extension's has no trigger.
  return typeof body.to === "string"
    ? { path: "body", expected: "a list", found: kindOf(body.body) }
    : { path: "to", expected: "text", found: kindOf(body.to) };
}

/** The extension's fields stand in the body itself. */
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

const readers: Readonly<Record<EventFamily, ReadonlyMap<string, EventReader<CatalogueEvent>>>> = {
  webhook: new Map(Object.entries(eventReaders.webhook)),
  legacy: new Map(Object.entries(eventReaders.legacy)),
  bot: new Map(Object.entries(eventReaders.bot)),
  notification: new Map(Object.entries(eventReaders.notification)),
  extension: new Map(Object.entries(eventReaders.extension)),
};
