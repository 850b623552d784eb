import { readFileSync } from "node:fs";
import { readSampleEvents, type SampleEvent } from "../../../cli/trigger/sample-events.ts";
import type { TryCatalogue, TryEntry } from "../api/try.ts";
import { moderationQuestion } from "./moderation-question.ts";

export interface KnownEntry extends TryEntry {
  /** Each can have its own credentials. */
  readonly family: string;
  /** `/<path>/<appId>` */
  readonly path: "webhooks" | "before-message" | "moderation";
  readonly bodies: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface KnownEntries {
  readonly catalogue: TryCatalogue;
  find(id: string): KnownEntry | undefined;
}

/** The command line's samples, with the descriptions of docs/events.md. */
export function listEntries(): KnownEntries {
  const samples = readSampleEvents();
  const families = readFamilies().map(({ title, events }) => ({
    title,
    entries: events.flatMap((event) => toEntry(event, samples)),
  }));
  const asked = [...families.flatMap(({ entries }) => entries).filter(isQuestion), moderationEntry];
  const all = [
    { title: "Questions", entries: asked },
    ...families.map(({ title, entries }) => ({ title, entries: entries.filter((one) => !isQuestion(one)) })),
  ].filter(({ entries }) => entries.length > 0);
  const byId = new Map(all.flatMap(({ entries }) => entries).map((entry) => [entry.id, entry]));
  return {
    catalogue: { families: all.map(({ title, entries }) => ({ title, entries: entries.map(toShown) })) },
    find: (id) => byId.get(id),
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
  const own = samples.filter(
    (one) => one.trigger === trigger && (family === undefined ? isOnly(one, samples) : one.family === family),
  );
  const [first] = own;
  if (first === undefined) return [];
  const isAsked = trigger === "before_message";
  return [
    {
      id: family === undefined ? trigger : `${trigger}.${family}`,
      trigger,
      kind: isAsked ? "question" : "event",
      says,
      samples: own.map(({ sample }, place) => ({ name: sample, words: wordsOf(sample, place) })),
      family: first.family,
      path: isAsked ? "before-message" : "webhooks",
      bodies: new Map(own.map(({ sample, body }) => [sample, body])),
    },
  ];
}

/** Names of two engines are listed once with the family, and once without. */
function isOnly({ trigger, family }: SampleEvent, samples: readonly SampleEvent[]): boolean {
  const families = new Set(samples.filter((one) => one.trigger === trigger).map((one) => one.family));
  return families.size === 1 || family === "webhook";
}

function wordsOf(sample: string, place: number): string {
  if (sample.endsWith(".live")) return "as seen live";
  if (place === 0) return "as documented";
  return sample.split(".").slice(1).join(" ") || sample;
}

const moderationEntry: KnownEntry = {
  id: "custom_moderation",
  trigger: "custom_moderation",
  kind: "question",
  says: "The moderation engine asks about one message, and waits: does it match?",
  samples: [{ name: "custom-moderation", words: "as documented" }],
  family: "webhook",
  path: "moderation",
  bodies: new Map([["custom-moderation", moderationQuestion()]]),
};

function isQuestion({ kind }: TryEntry): boolean {
  return kind === "question";
}

function toShown({ id, trigger, kind, says, samples }: KnownEntry): TryEntry {
  return { id, trigger, kind, says, samples };
}
