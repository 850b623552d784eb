import type { AppEvent } from "../../lib/events/app-event.ts";
import type { CatalogueEntry } from "../../lib/events/catalogue.ts";
import { catalogue } from "../../lib/events/catalogue.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import { derivedEvents } from "../../local/testing/events/derived-events.ts";
import { events } from "../../local/testing/events/events.ts";
import { eventSections } from "./event-sections.ts";
import { allFields, type DeclaredField, type DeclaredShape, readEventShapes } from "./event-shapes.ts";

/** Writes docs/events.md: every event with its fields, as its type documents them, and a sample. */
export function eventsPage(): string {
  const shapes = readEventShapes();
  const samples: Sample[] = [];
  const sections = Object.entries(eventSections).map(([title, builders]) => ({
    title,
    entries: builders.map((builder) => entryOf(builder, shapes, samples)),
  }));
  const contents = sections.map(({ title, entries }) => {
    const links = entries.map(({ heading }) => `[${heading}](#${anchorOf(heading)})`);
    return `| ${title} | ${links.join(", ")} |`;
  });
  const held = [...shapes.values()].filter(({ name }) => isHeld(name, shapes));
  return `${[
    "# Events",
    intro,
    "| About | Events |\n|---|---|\n".concat(contents.join("\n")),
    "## What every event has",
    headText,
    ...[...shapes.values()]
      .filter(({ name }) => name === "EventHead")
      .map((head) => fieldTable(head, shapes)),
    ...sections.flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(({ text }) => text)]),
    "## What events hold",
    "Whatever the platform sends beside these fields is in the event's `data`, as it came.",
    ...held.map((shape) => heldText(shape, shapes)),
  ].join("\n\n")}\n`;
}

/** Lists the names of the events on the page, with their families. */
export function eventsOnPage(): readonly { readonly family: string; readonly trigger: string }[] {
  return Object.values(eventSections)
    .flat()
    .map((builder) => {
      const { head } = exampleOf(builder).event;
      return { family: head.family, trigger: head.trigger };
    });
}

const intro = `What a handler gets as \`event\`, for each name that [\`onTrigger\`](triggers.md) takes. This page is made by
\`npx node test/docs/write-events-page.ts\` from the types of the events, whose documentation an editor shows as well, and from
the builders of the test kit; a test compares it with them. [Reading](internals/reading.md) lists the fields that an event
requires and how unexpected forms are read.

Each event has a type, such as \`MessageSentEvent\`, which \`cometchat-functions/events\` exports; \`EventOf<"message_sent">\` is the
same. **?** behind a field says that it may be missing: most of the platform's fields may.`;

const headText = `\`kind\` (\`known\`, \`derived\` or \`unknown\`), \`trigger\`, \`family\`, \`data\` (what the platform sent, as it came; not for
derived events), and \`head\`:`;

/** The fields of every event appear once, above; those of the catalogue's events are in `KnownEvent`. */
const common = new Set(["kind", "trigger", "head"]);

interface Example {
  readonly event: AppEvent;
  readonly body: object | undefined;
}

function exampleOf(builder: string): Example {
  const derived = Object.entries(derivedEvents).find(([name]) => name === builder);
  if (derived !== undefined) return { event: derived[1](), body: undefined };
  const build = Object.entries(events).find(([name]) => name === builder)?.[1];
  if (build === undefined) throw new Error(`The test kit has no builder ${builder}.`);
  const body = build();
  const parsed = parseEvent(body, { appId: "app-1" });
  if (parsed.ok) return { event: parsed.event, body };
  throw new Error(`This is no event: ${JSON.stringify(parsed.problems)}`);
}

function entryOf(
  builder: string,
  shapes: ReadonlyMap<string, DeclaredShape>,
  samples: Sample[],
): { heading: string; text: string } {
  const { event, body } = exampleOf(builder);
  const { family, trigger } = event.head;
  const shape = typeOf(event, shapes);
  const isShared = familiesOf(trigger).length > 1 && family !== "webhook";
  const heading = isShared ? `${trigger} (${family})` : trigger;
  const sure = event.kind === "known" ? sureness(trigger) : "Derived by this system";
  const source = shape.see?.replace("docs/", "");
  const text = [
    `### ${heading}`,
    `${linked(shape.doc)} ${sure} ([source](${source})); type \`${shape.name}\`, builder \`${builder}\`.`,
    fieldTable({ ...shape, fields: shape.fields.filter(({ name }) => !common.has(name)) }, shapes),
    sampleText(heading, body ?? event, samples),
  ].join("\n\n");
  return { heading, text };
}

/** A sample that the page shows, with its values by path. */
interface Sample {
  readonly heading: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Names what differs from an earlier sample if that is little, or adds the sample to the earlier ones. */
function sampleText(heading: string, body: object, samples: Sample[]) {
  const values = new Map(valuesOf(body));
  const [nearest] = samples
    .map((earlier) => compareSamples(values, earlier))
    .filter(({ differences }) => differences <= 8)
    .toSorted((one, other) => one.differences - other.differences);
  if (nearest !== undefined)
    return `Sample: like [${nearest.heading}](#${anchorOf(nearest.heading)}), with ${nearest.text}.`;
  samples.push({ heading, values });
  return `<details><summary>Sample</summary>\n\n\`\`\`json\n${compactJson(body)}\n\`\`\`\n\n</details>`;
}

function compareSamples(values: Sample["values"], { heading, values: earlier }: Sample) {
  const present = [...values].filter(([path, value]) => earlier.get(path) !== value);
  const lacking = [...earlier.keys()].filter((path) => !values.has(path));
  const text = [
    ...present.map(([path, value]) => `\`${path}: ${value}\``),
    ...new Set(lacking.map((path) => `no \`${topmost(path, values)}\``)),
  ];
  return { heading, differences: present.length + lacking.length, text: text.join(", ") };
}

function topmost(path: string, values: Sample["values"]): string {
  const above = path.replace(/\.?[^.]+$/, "");
  const isHeld = above === "" || [...values.keys()].some((one) => one.startsWith(`${above}.`));
  return isHeld ? path : topmost(above, values);
}

function valuesOf(value: unknown, path = ""): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, one]) =>
    valuesOf(one, path === "" ? name : `${path}.${name}`),
  );
}

/** Finds the type of an event. */
function typeOf(event: AppEvent, shapes: ReadonlyMap<string, DeclaredShape>): DeclaredShape {
  const base = event.kind === "known" ? `KnownEvent<"${event.family}", "${event.trigger}">` : undefined;
  const found = [...shapes.values()].find(
    ({ bases, fields }) =>
      (base !== undefined && bases.includes(base)) ||
      fields.some(({ name, type }) => name === "trigger" && type === `"${event.trigger}"`),
  );
  if (found === undefined) throw new Error(`The event ${event.trigger} has no type.`);
  return found;
}

/** Returns whether some field contains it. */
function isHeld(name: string, shapes: ReadonlyMap<string, DeclaredShape>) {
  const word = new RegExp(`\\b${name}\\b`);
  return (
    name !== "EventHead" &&
    [...shapes.values()].some(({ fields }) => fields.some(({ type }) => word.test(type)))
  );
}

function heldText(shape: DeclaredShape, shapes: ReadonlyMap<string, DeclaredShape>) {
  const source = shape.see === undefined ? "" : ` ([source](${shape.see.replace("docs/", "")}))`;
  return [`### ${shape.name}`, `${linked(shape.doc)}${source}`, fieldTable(shape, shapes)].join("\n\n");
}

function fieldTable(shape: DeclaredShape, shapes: ReadonlyMap<string, DeclaredShape>) {
  const rows = allFields(shape, shapes, "KnownEvent").map((field) => rowOf(field, shapes));
  return ["| Field | Type | Is |", "|---|---|---|", ...rows].join("\n");
}

function rowOf({ name, type, mayBeMissing, doc }: DeclaredField, shapes: ReadonlyMap<string, DeclaredShape>) {
  return `| \`${name}\`${mayBeMissing ? "?" : ""} | ${typeText(type, shapes)} | ${linked(doc).replaceAll("|", "\\|")} |`;
}

function typeText(type: string, shapes: ReadonlyMap<string, DeclaredShape>) {
  const [, item, brackets = ""] = /^(?:readonly )?(\w+)(\[\])?$/.exec(type) ?? [];
  if (item === undefined || !shapes.has(item))
    return `\`${type.replace(/^readonly /, "").replaceAll("|", "\\|")}\``;
  return `${brackets === "" ? "" : "list of "}[${item}](#${item.toLowerCase()})`;
}

/** Pages that the docs name become links, relative to this one. */
function linked(doc: string) {
  return doc.replaceAll(
    /docs\/((?:internals\/)?(?:platform\/)?[\w-]+)\.md(#[\w-]+)?/g,
    (_, page: string, place = "") => {
      const words = place === "" ? page.replace(/^.*\//, "") : place.slice(1).replaceAll("-", " ");
      return `[${words}](${page}.md${place})`;
    },
  );
}

function anchorOf(heading: string) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function familiesOf(trigger: string): readonly string[] {
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  return entries[trigger]?.families ?? [];
}

/** Puts a value on one line if it fits. */
function compactJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, " ");
  if (typeof value !== "object" || value === null || indent.length + line.length <= 100) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Object.entries(value).flatMap(([name, one]) => {
    if (one === undefined) return [];
    return `${inner}${Array.isArray(value) ? "" : `"${name}": `}${compactJson(one, inner)}`;
  });
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

function sureness(trigger: string) {
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  const { source, since } = entries[trigger] ?? {};
  const words = {
    documented: "Documented",
    "older-documentation": "In older documentation only",
    "seen-live": "Seen live",
  };
  return `${source === undefined ? "" : words[source]}${since === undefined ? "" : ` since ${since}`}`;
}
