import { isRecord } from "../../../lib/base/json.ts";
import { type Conditions, whyNot } from "../../../lib/events/conditions/where.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { mapJson } from "../read-value.ts";

/** Changes a sample to meet the conditions as far as possible. */
export function fitEvent(
  sample: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
) {
  let body: unknown = sample;
  for (const [name, wanted] of Object.entries(where)) {
    const value = valueFor(name, wanted);
    if (value === undefined || doesHold(body, { [name]: wanted })) continue;
    const changed = change(body, name, value);
    if (doesHold(changed, { [name]: wanted })) body = changed;
  }
  const unmet = Object.keys(where).filter((name) => !doesHold(body, { [name]: where[name] }));
  return { body, unmet };
}

function valueFor(name: string, wanted: unknown) {
  const [first] = Array.isArray(wanted) ? wanted : [wanted];
  if (typeof first === "string") return first.replaceAll("*", "1");
  if (!isRecord(first)) return undefined;
  if (name !== "text") return "not" in first ? "somebody-else" : undefined;
  return Array.isArray(first.words) ? String(first.words[0] ?? "") : undefined;
}

function change(body: unknown, name: string, value: string): unknown {
  switch (name) {
    case "sender":
      return replaceText(body, textIn(body, ["sender", "by", "caller", "uid"]), value);
    case "receiver":
      return replaceText(body, textIn(body, ["receiver", "callee"]), value);
    case "group":
      return toGroup(body, value);
    case "conversation":
      return setTexts(body, { conversationId: value });
    case "messageId":
      return mapJson(setTexts(body, { messageId: value }), (one, field) =>
        field === "message" && isRecord(one) ? { ...one, id: value } : one,
      );
    default:
      return setTexts(body, { [name]: value });
  }
}

function doesHold(body: unknown, where: Conditions & Readonly<Record<string, unknown>>) {
  const parsed = parseEvent(body);
  try {
    return parsed.ok && whyNot(parsed.event, where) === undefined;
  } catch {
    return false; // a pattern without an example value
  }
}

function toGroup(body: unknown, guid: string): unknown {
  const before = textIn(body, ["guid"]);
  if (before !== undefined) return replaceText(body, before, guid);
  const renamed = replaceText(body, textIn(body, ["receiver"]), guid);
  return setTexts(renamed, { receiverType: "group", conversationId: `group_${guid}` });
}

function textIn(body: unknown, names: readonly string[]) {
  for (const name of names) {
    const found = find(body, name);
    const text = isRecord(found) ? found.uid : found;
    if (typeof text === "string") return text;
  }
  return undefined;
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

/** Replaces whole values, names of fields, and parts of conversation ids. */
function replaceText(body: unknown, before: string | undefined, after: string): unknown {
  const swap = (text: string) => (text === before ? after : text);
  return mapJson(body, (value, name) => {
    if (name === "trigger") return value;
    if (typeof value === "string") return swap(value.split("_").map(swap).join("_"));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [swap(field), one]));
  });
}

function setTexts(body: unknown, fields: Readonly<Record<string, string>>): unknown {
  return mapJson(body, (value, name) =>
    typeof value === "string" && Object.hasOwn(fields, name) ? fields[name] : value,
  );
}
