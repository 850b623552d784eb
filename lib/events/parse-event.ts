import { isRecord } from "../base/json.ts";
import type { CatalogueEvent, ChatEvent } from "./chat-event.ts";
import type { EventReader, OuterHead } from "./define-event.ts";
import { eventReaders } from "./event-readers.ts";
import { type Identity, identify } from "./identity.ts";
import { isNestedBeyond, maxNesting } from "./nesting.ts";
import type { Oddity } from "./oddities.ts";
import { kindOf, type Problem } from "./problems.ts";
import { readText } from "./read-path.ts";

/** The result of `parseEvent`: check `ok`. */
export type ParsedEvent = UnderstoodEvent | RefusedEvent;

/** A parsed body. */
export interface UnderstoodEvent {
  readonly ok: true;
  /** The parsed event. */
  readonly event: ChatEvent;
  /** Fields of unexpected form, read by their meaning or as absent. */
  readonly oddities: readonly Oddity[];
}

/** A body without the fields that every trigger handler needs. */
export interface RefusedEvent {
  readonly ok: false;
  /** The errors, without values. */
  readonly problems: readonly Problem[];
}

/** What the receiver of the delivery knows and the body does not contain. */
export interface DeliveryContext {
  /** The app whose credentials the delivery has. It overrides the app that the body names. */
  readonly appId?: string;
  /** The receiver's result. It overrides a new computation, which may use newer rules. */
  readonly found?: Pick<Identity, "key" | "canRecur"> | undefined;
  /** Receipt time in milliseconds since 1970. An event time later than a day after it is invalid. */
  readonly receivedAt?: number;
}

/**
 * Parses the body of any delivery. Refuses only a body without the fields that every trigger handler needs.
 * Reads fields of unexpected form by their meaning or as absent, and reports them in `oddities`
 * (docs/internals/reading.md). Keeps unknown fields, accepts unknown triggers, and never throws for a JSON
 * value.
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
  // Only the e-mail extension's delivery has no trigger.
  return typeof body.to === "string"
    ? { path: "body", expected: "a list", found: kindOf(body.body) }
    : { path: "to", expected: "text", found: kindOf(body.to) };
}

/** The extension's fields are in the body itself. */
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

const readers: ReadonlyMap<string, ReadonlyMap<string, EventReader<CatalogueEvent>>> = new Map(
  Object.entries(eventReaders).map(([family, byTrigger]) => [family, new Map(Object.entries(byTrigger))]),
);
