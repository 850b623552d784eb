import { isRecord } from "../../../lib/base/json.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { TryEntry } from "../api/try.ts";
import { mapJson } from "../read-value.ts";

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
  nulls: { words: "null for optional fields", change: withNulls },
  "numbers-as-texts": {
    words: "Numbers as texts",
    change: (body) => mapJson(body, (value) => (typeof value === "number" ? String(value) : value)),
  },
  "ids-as-numbers": {
    words: "Ids as numbers",
    change: (body) =>
      mapJson(body, (value, name) =>
        /^(id|messageId|tid)$/.test(name) && typeof value === "string" && /^\d{1,15}$/.test(value)
          ? Number(value)
          : value,
      ),
  },
  unknown: {
    words: "An unknown event",
    change: (body) => (isRecord(body) ? { ...body, trigger: "something_new" } : body),
  },
};

/** A moderation question does not have these fields. */
const ofDeliveries = new Set(["least", "quarantine", "nulls", "unknown"]);

interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** What is not required, the largest pieces first. */
function leastOf(body: unknown): unknown {
  let least = body;
  for (const { path } of placesOf(body)) {
    const without = replaceAt(least, path, undefined);
    if (isUnderstood(without, body)) least = without;
  }
  return least;
}

function withoutNeeded(body: unknown): unknown {
  const without = placesOf(body)
    .filter(({ path }) => path[0] !== "trigger")
    .toReversed()
    .map(({ path }) => replaceAt(body, path, undefined));
  return without.find((one) => !isUnderstood(one, body)) ?? body;
}

/** Each optional value, as long as the event is still understood. */
function withNulls(body: unknown): unknown {
  let changed = body;
  for (const { path, value } of placesOf(body)) {
    if (isRecord(value) || Array.isArray(value) || path[0] === "trigger") continue;
    const next = replaceAt(changed, path, null);
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

function entriesOf(value: unknown): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
}

/** Lists from their end, so that the indexes of the other items stay valid. */
function placesOf(outer: unknown, before: Place["path"] = []): Place[] {
  return entriesOf(outer)
    .toReversed()
    .flatMap(([name, value]) => {
      const path = [...before, name];
      return [{ path, value }, ...placesOf(value, path)];
    });
}

/** Without what is replaced by undefined. Keeps the order, and a field named __proto__. */
function replaceAt(value: unknown, [name, ...rest]: Place["path"], leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const entries = entriesOf(value)
    .map(([one, inner]) => [one, one === name ? replaceAt(inner, rest, leaf) : inner] as const)
    .filter(([, inner]) => inner !== undefined);
  if (Array.isArray(value)) return entries.map(([, inner]) => inner);
  return isRecord(value) ? Object.fromEntries(entries) : value;
}
