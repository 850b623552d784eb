import { isRecord } from "../../../lib/base/json.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { TryEntry } from "../api/try.ts";

interface Variation {
  readonly words: string;
  readonly change: (body: unknown) => unknown;
}

export function variationsOf(family: string): TryEntry["variations"] {
  return Object.entries(variations)
    .filter(([id]) => family !== "moderation" || !ofDeliveries.has(id))
    .map(([id, { words }]) => ({ id, words }));
}

/** Undefined if the variation does not exist. */
export function vary(body: unknown, id: string): unknown {
  return Object.hasOwn(variations, id) ? variations[id]?.change(body) : undefined;
}

// docs/internals/reading.md describes how unexpected fields are read.
const variations: Readonly<Record<string, Variation>> = {
  least: { words: "Required fields only", change: leastOf },
  quarantine: { words: "Without a required field", change: withoutNeeded },
  nulls: { words: "null for optional fields", change: (body) => spoilOptional(body, () => null) },
  empty: {
    words: "Empty texts for optional fields",
    change: (body) => spoilOptional(body, (value) => (typeof value === "string" ? "" : value)),
  },
  "numbers-as-texts": {
    words: "Numbers as texts",
    change: (body) => mapLeaves(body, (value) => (typeof value === "number" ? String(value) : value)),
  },
  "ids-as-numbers": {
    words: "Ids as numbers",
    change: (body) =>
      mapLeaves(body, (value, name) =>
        /^(id|messageId|tid)$/.test(name) && typeof value === "string" && /^\d{1,15}$/.test(value)
          ? Number(value)
          : value,
      ),
  },
  // Two spellings of one name: docs/internals/platform/events.md#call-signalling
  "session-id": { words: "sessionId spelt sessionid", change: respell },
  lists: {
    words: "Empty objects as empty lists",
    change: (body) => mapRecords(body, (record) => (Object.keys(record).length === 0 ? [] : record)),
  },
  more: { words: "Unknown fields", change: withMore },
  unknown: {
    words: "An unknown event",
    change: (body) => (isRecord(body) ? { ...body, trigger: "something_new" } : body),
  },
};

/** A moderation question does not have these fields. */
const ofDeliveries = new Set(["least", "quarantine", "nulls", "empty", "unknown", "session-id"]);

type Path = readonly (string | number)[];

/** What is not required, the largest pieces first. */
function leastOf(body: unknown): unknown {
  let least = body;
  for (const path of pathsOf(body)) {
    const without = removeAt(least, path);
    if (without !== least && isUnderstood(without, body)) least = without;
  }
  return least;
}

function withoutNeeded(body: unknown): unknown {
  const paths = pathsOf(body).filter(([first]) => first !== "trigger");
  const needed = paths.toReversed().find((path) => !isUnderstood(removeAt(body, path), body));
  return needed === undefined ? body : removeAt(body, needed);
}

/** Each optional value, as long as the event is still understood. */
function spoilOptional(body: unknown, change: (value: unknown) => unknown): unknown {
  let changed = body;
  for (const path of pathsOf(body)) {
    const value = valueAt(changed, path);
    if (isRecord(value) || Array.isArray(value) || path[0] === "trigger") continue;
    const next = setAt(changed, path, change(value));
    if (isUnderstood(next, body)) changed = next;
  }
  return changed;
}

/** An event that becomes another one was not understood. */
function isUnderstood(body: unknown, original: unknown): boolean {
  const [now, before] = [parseEvent(body), parseEvent(original)];
  if (!now.ok || !before.ok) return false;
  return now.event.trigger === before.event.trigger && now.event.family === before.event.family;
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
  // Lists from their end, so that the indexes of the other items stay valid.
  return inner
    .toReversed()
    .flatMap(([name, one]): Path[] => [[...path, name], ...pathsOf(one, [...path, name])]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[String(name)] : undefined;
  }, value);
}

function setAt(value: unknown, [name, ...rest]: Path, leaf: unknown): unknown {
  if (name === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((one, place) => (place === Number(name) ? setAt(one, rest, leaf) : one));
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  return replaceOwn(value, String(name), setAt(value[String(name)], rest, leaf));
}

function removeAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_one, place) => place !== Number(name));
    return value.map((one, place) => (place === Number(name) ? removeAt(one, rest) : one));
  }
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return replaceOwn(value, String(name), removeAt(value[String(name)], rest));
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
}

/** Keeps the order, and a field named __proto__. */
function replaceOwn(record: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(record).map(([one, before]) => [one, one === name ? value : before]),
  );
}

function mapLeaves(value: unknown, change: (value: unknown, name: string) => unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change, name));
  if (!isRecord(value)) return change(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => [inner, mapLeaves(one, change, inner)]),
  );
}

function mapRecords(value: unknown, change: (record: Readonly<Record<string, unknown>>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRecords(one, change));
  if (!isRecord(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapRecords(one, change)])),
  );
}

function respell(body: unknown): unknown {
  return mapRecords(body, (record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, one]) => [name === "sessionId" ? "sessionid" : name, one]),
    ),
  );
}

function withMore(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const more = { whatsNew: { list: [1, null, "ä"], isNew: true } };
  return { ...body, ...more, ...(isRecord(body.data) && { data: { ...body.data, ...more } }) };
}
