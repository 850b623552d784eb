import { isRecord } from "../../../lib/base/json.ts";
import type { AppEvent } from "../../../lib/events/app-event.ts";
import { type Conditions, whyNot } from "../../../lib/events/conditions/where.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";

export interface FittedEvent {
  readonly body: unknown;
  readonly unmet: readonly string[];
}

/** One condition after the other, as far as possible. */
export function fitEvent(
  sample: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
): FittedEvent {
  let body: unknown = sample;
  for (const [name, wanted] of Object.entries(where)) {
    const value = valueFor(name, wanted);
    if (value === undefined) continue;
    const changed = change(body, name, value);
    if (!doesHold(body, { [name]: wanted }) && doesHold(changed, { [name]: wanted })) body = changed;
  }
  const unmet = Object.entries(where).flatMap(([name, wanted]) =>
    doesHold(body, { [name]: wanted }) ? [] : [name],
  );
  return { body, unmet };
}

function valueFor(name: string, wanted: unknown): string | undefined {
  const [first] = Array.isArray(wanted) ? wanted : [wanted];
  if (name === "text" && isRecord(first))
    return Array.isArray(first.words) ? String(first.words[0] ?? "") : undefined;
  if (isRecord(first)) return "not" in first ? "somebody-else" : undefined;
  return typeof first === "string" ? first.replaceAll("*", "1") : undefined;
}

function change(body: unknown, name: string, value: string): unknown {
  switch (name) {
    case "sender":
      return replaceText(body, [...textsAt(body, ["sender", "by", "caller", "uid"])][0], value);
    case "receiver":
      return replaceText(body, [...textsAt(body, ["receiver", "callee"])][0], value);
    case "group":
      return toGroup(body, value);
    case "conversation":
      return setFields(body, { conversationId: value });
    case "messageId":
      return setFields(
        setFields(body, { messageId: value }),
        isRecord(find(body, "message")) ? { id: value } : {},
        ["message"],
      );
    case "text":
      return setFields(body, { text: value });
    case "parentId":
    case "category":
    case "type":
    case "reaction":
    case "receiverType":
      return setFields(body, { [name]: value });
    default:
      return body;
  }
}

function doesHold(body: unknown, where: Readonly<Record<string, unknown>>): boolean {
  const parsed = parseEvent(body);
  if (!parsed.ok) return false;
  const event: AppEvent = parsed.event;
  const conditions: Conditions = where;
  try {
    return whyNot(event, conditions) === undefined;
  } catch {
    return false; // a pattern without an example value
  }
}

function toGroup(body: unknown, guid: string): unknown {
  const before = [...textsAt(body, ["guid"])][0];
  if (before !== undefined) return replaceText(body, before, guid);
  const receiver = [...textsAt(body, ["receiver"])][0];
  const renamed = receiver === undefined ? body : replaceText(body, receiver, guid);
  return setFields(renamed, { receiverType: "group", conversationId: `group_${guid}` });
}

/** In the order of the names, the outermost first. */
function* textsAt(value: unknown, names: readonly string[]): Generator<string> {
  for (const name of names) {
    const found = find(value, name);
    if (typeof found === "string") yield found;
    if (isRecord(found) && typeof found.uid === "string") yield found.uid;
  }
}

function find(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (const inner of Object.values(value)) {
    const found = find(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A whole value, or part of a conversation id. */
function replaceText(value: unknown, before: string | undefined, after: string): unknown {
  if (before === undefined) return value;
  if (typeof value === "string") {
    return value === before
      ? after
      : value.split("_").includes(before)
        ? value
            .split("_")
            .map((part) => (part === before ? after : part))
            .join("_")
        : value;
  }
  if (Array.isArray(value)) return value.map((one) => replaceText(one, before, after));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name === before ? after : name,
      name === "trigger" ? one : replaceText(one, before, after),
    ]),
  );
}

/** Missing fields go to the event's main entity. */
function setFields(
  value: unknown,
  fields: Readonly<Record<string, string>>,
  within?: readonly string[],
): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (within?.includes(name) === true && isRecord(one)) return [name, { ...one, ...fields }];
      const own = fields[name];
      if (within === undefined && own !== undefined && typeof one === "string") return [name, own];
      return [name, setFields(one, fields, within)];
    }),
  );
}
