import { readFileSync } from "node:fs";
import { readSampleEvents, type SampleEvent } from "../../../cli/trigger/fresh-delivery.ts";
import { isRecord } from "../../../lib/base/json.ts";
import type { TryCatalogue, TryEntry } from "../api/try.ts";
import { textAt, valueAt } from "../read-value.ts";
import { actionOf } from "./platform-actions.ts";
import { variationsOf } from "./vary.ts";

export interface KnownEntry extends TryEntry {
  /** Each can have its own credentials. */
  readonly family: string;
  /** `/<path>/<appId>` */
  readonly path: "webhooks" | "before-message" | "moderation";
  readonly bodies: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** The command line's samples, with the descriptions of docs/events.md. */
export function listEntries(): {
  readonly catalogue: TryCatalogue;
  find(id: string): KnownEntry | undefined;
} {
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
    catalogue: { families: shown },
    find: (id) => all.flatMap(({ entries }) => entries).find((entry) => entry.id === id),
  };
}

interface NotedEvent {
  /** The name, with the family in parentheses if several have it. */
  readonly heading: string;
  readonly says: string;
}

/** The page with which the parser and the test kit are compared. */
function readFamilies(): readonly { readonly title: string; readonly events: readonly NotedEvent[] }[] {
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
  // The rest is about certainty and the builder.
  const says = first
    .replace(/ (Documented|Seen live|In older documentation only)\b.*$/, "")
    .replaceAll("`", "");
  return { heading, says };
}

function toEntry({ heading, says }: NotedEvent, samples: readonly SampleEvent[]): KnownEntry[] {
  const [, trigger = heading, family] = /^(\S+) \((\w+)\)$/.exec(heading) ?? [];
  const named = samples.filter((one) => one.trigger === trigger);
  // Names of two engines are listed once with the family, and once without.
  const wanted = family ?? (named.some((one) => one.family === "webhook") ? "webhook" : named[0]?.family);
  const own = named.filter((one) => one.family === wanted);
  if (wanted === undefined || own.length === 0) return [];
  const isAsked = trigger === "before_message";
  return [
    {
      id: family === undefined ? trigger : `${trigger}.${family}`,
      ...{ trigger, says, kind: isAsked ? "question" : "event", family: wanted },
      samples: own.map(({ sample }, place) => ({ name: sample, words: wordsOf(sample, place) })),
      deed: actionOf(trigger, wanted),
      variations: variationsOf(wanted),
      path: isAsked ? "before-message" : "webhooks",
      bodies: new Map(own.map(({ sample, body }) => [sample, body])),
    },
  ];
}

function wordsOf(sample: string, place: number): string {
  if (sample.endsWith(".live")) return "as seen live";
  if (place === 0) return "as documented";
  return sample.split(".").slice(1).join(" ") || sample;
}

/**
 * Two earlier texts and the pending message.
 * @see docs/internals/platform/moderation.md#custom-api
 */
function moderationEntry(samples: readonly SampleEvent[]): KnownEntry {
  const sample = samples.find(({ trigger }) => trigger === "message_sent");
  const message = valueAt(sample, "body.data.message");
  if (!isRecord(message)) throw new Error("The samples have no message: reinstall the project.");
  const asked = { ...message, data: { ...Object(message.data), moderation: { status: "pending" } } };
  const sender = textAt(message, "sender");
  const contextMessages = [{ bela: "Hi!" }, { [sender]: "Hello Bela" }, { [sender]: asked }];
  return {
    ...{ id: "custom_moderation", trigger: "custom_moderation", kind: "question", family: "webhook" },
    says: "The moderation engine asks about one message, and waits: does it match?",
    samples: [{ name: "custom-moderation", words: "as documented" }],
    variations: variationsOf("moderation"),
    path: "moderation",
    bodies: new Map([["custom-moderation", { contextMessages }]]),
  };
}
