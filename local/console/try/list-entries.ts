import { readFileSync } from "node:fs";
import { readSampleEvents, type SampleEvent } from "../../../cli/trigger/fresh-delivery.ts";
import { isRecord, readPath } from "../../../lib/base/json.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { TryCatalogue, TryEntry } from "../api/try.ts";
import { mapJson, textAt } from "../read-value.ts";
import { actionOf } from "./platform-actions.ts";

export interface KnownEntry extends TryEntry {
  readonly family: string;
  /** `/<path>/<appId>` */
  readonly path: "webhooks" | "before-message" | "moderation";
  readonly bodies: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export function listEntries() {
  const samples = readSampleEvents();
  const families = readFamilies().map(({ title, events }) => ({
    title,
    entries: events.flatMap((event) => toEntry(event, samples)),
  }));
  const isQuestion = ({ kind }: TryEntry) => kind === "question";
  const asked = families.flatMap(({ entries }) => entries).filter(isQuestion);
  const all = [
    { title: "Questions", entries: [...asked, moderationEntry(samples)] },
    ...families.map(({ title, entries }) => ({ title, entries: entries.filter((one) => !isQuestion(one)) })),
  ].filter(({ entries }) => entries.length > 0);
  const shown = all.map(({ title, entries }) => ({
    title,
    entries: entries.map(({ family: _, path: _path, bodies: _bodies, ...entry }) => entry),
  }));
  return {
    catalogue: { families: shown } satisfies TryCatalogue,
    find: (id: string) => all.flatMap(({ entries }) => entries).find((entry) => entry.id === id),
  };
}

interface NotedEvent {
  /** Name, with the family in parentheses if several have it. */
  readonly heading: string;
  readonly description: string;
}

/** Reads the page of events. */
function readFamilies() {
  const page = readFileSync(new URL("../../../docs/events.md", import.meta.url), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head = "", ...events] = section.split(/^### /m);
      return { title: head.split("\n", 1)[0] ?? "", events: events.map(readEvent) };
    });
}

function readEvent(section: string): NotedEvent {
  const [heading = "", , first = ""] = section.split("\n");
  const description = first
    .replace(/ (Documented|Seen live|In older documentation only)\b.*$/, "")
    .replaceAll("`", "");
  return { heading, description };
}

function toEntry({ heading, description }: NotedEvent, samples: readonly SampleEvent[]): KnownEntry[] {
  const [, trigger = heading, family] = /^(\S+) \((\w+)\)$/.exec(heading) ?? [];
  const named = samples.filter((one) => one.trigger === trigger);
  // Names of two engines are listed with and without the family.
  const wanted = family ?? (named.some((one) => one.family === "webhook") ? "webhook" : named[0]?.family);
  const own = named.filter((one) => one.family === wanted);
  if (wanted === undefined || own.length === 0) return [];
  const isAsked = trigger === "before_message";
  return [
    {
      id: family === undefined ? trigger : `${trigger}.${family}`,
      trigger,
      description,
      kind: isAsked ? "question" : "event",
      family: wanted,
      samples: own.map(({ sample }, place) => ({ name: sample, words: wordsOf(sample, place) })),
      action: actionOf(trigger, wanted),
      variations: variationsOf(wanted),
      path: isAsked ? "before-message" : "webhooks",
      bodies: new Map(own.map(({ sample, body }) => [sample, body])),
    },
  ];
}

function wordsOf(sample: string, place: number) {
  if (sample.endsWith(".live")) return "as seen live";
  if (place === 0) return "as documented";
  return sample.split(".").slice(1).join(" ") || sample;
}

/**
 * A moderation question: two earlier texts and the pending message.
 * @see docs/internals/platform/moderation.md#custom-api
 */
function moderationEntry(samples: readonly SampleEvent[]): KnownEntry {
  const sample = samples.find(({ trigger }) => trigger === "message_sent");
  const message = readPath(sample, "body.data.message");
  if (!isRecord(message)) throw new Error("The samples have no message: reinstall the project.");
  const asked = { ...message, data: { ...Object(message.data), moderation: { status: "pending" } } };
  const sender = textAt(message, "sender");
  const contextMessages = [{ bela: "Hi!" }, { [sender]: "Hello Bela" }, { [sender]: asked }];
  return {
    id: "custom_moderation",
    trigger: "custom_moderation",
    kind: "question",
    family: "webhook",
    description: "The moderation engine asks about one message, and waits: does it match?",
    samples: [{ name: "custom-moderation", words: "as documented" }],
    variations: variationsOf("moderation"),
    path: "moderation",
    bodies: new Map([["custom-moderation", { contextMessages }]]),
  };
}

interface Variation {
  readonly words: string;
  readonly change: (body: unknown) => unknown;
}

export function variationsOf(family: string): TryEntry["variations"] {
  return Object.entries(variations)
    .filter(([id]) => family !== "moderation" || !ofDeliveries.has(id))
    .map(([id, { words }]) => ({ id, words }));
}

export function vary(body: unknown, id: string): unknown {
  return Object.hasOwn(variations, id) ? variations[id]?.change(body) : undefined;
}

// docs/internals/reading.md describes how unexpected fields are read.
const variations: Readonly<Record<string, Variation>> = {
  least: {
    words: "Required fields only",
    change: (body) => replaceUnneeded(body, placesOf(body), undefined),
  },
  quarantine: { words: "Without a required field", change: withoutNeeded },
  nulls: {
    words: "null for optional fields",
    change: (body) => replaceUnneeded(body, placesOf(body).filter(isPlainValue), null),
  },
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

/** Variations that need fields of deliveries. */
const ofDeliveries = new Set(["least", "quarantine", "nulls", "unknown"]);

interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

function replaceUnneeded(body: unknown, places: readonly Place[], leaf: null | undefined): unknown {
  return places.reduce((changed, { path }) => {
    const next = replaceAt(changed, path, leaf);
    return isUnderstood(next, body) ? next : changed;
  }, body);
}

function isPlainValue({ path, value }: Place) {
  return !isRecord(value) && !Array.isArray(value) && path[0] !== "trigger";
}

function withoutNeeded(body: unknown): unknown {
  const without = placesOf(body)
    .filter(({ path }) => path[0] !== "trigger")
    .toReversed()
    .map(({ path }) => replaceAt(body, path, undefined));
  return without.find((one) => !isUnderstood(one, body)) ?? body;
}

/** Returns whether the event keeps its type. */
function isUnderstood(body: unknown, original: unknown) {
  const [now, before] = [parseEvent(body), parseEvent(original)];
  if (!now.ok || !before.ok) return false;
  return now.event.trigger === before.event.trigger && now.event.family === before.event.family;
}

function entriesOf(value: unknown): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
}

/** Returns places, list items from the end: the others' indexes stay valid. */
function placesOf(outer: unknown, before: Place["path"] = []): Place[] {
  return entriesOf(outer)
    .toReversed()
    .flatMap(([name, value]) => {
      const path = [...before, name];
      return [{ path, value }, ...placesOf(value, path)];
    });
}

/** Replaces a value; undefined removes it. Keeps the order, and a field named __proto__. */
function replaceAt(value: unknown, [name, ...rest]: Place["path"], leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const entries = entriesOf(value)
    .map(([one, inner]) => [one, one === name ? replaceAt(inner, rest, leaf) : inner] as const)
    .filter(([, inner]) => inner !== undefined);
  if (Array.isArray(value)) return entries.map(([, inner]) => inner);
  return isRecord(value) ? Object.fromEntries(entries) : value;
}
