import * as z from "zod/mini";
import type { CatalogueEntry } from "../../lib/events/catalogue.ts";
import { catalogue } from "../../lib/events/catalogue.ts";
import { messageSchema } from "../../lib/events/message.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import { groupSchema, userSchema } from "../../lib/events/users-and-groups.ts";
import type { AppEvent } from "../../lib/triggers/app-event.ts";
import { withField } from "../helpers/events/change-field.ts";
import { derivedEvents } from "../helpers/events/derived-events.ts";
import { events } from "../helpers/events/events.ts";
import { requiredFields } from "../helpers/events/required-fields.ts";
import { type EventNote, eventNotes } from "./event-notes.ts";

/** Writes docs/events.md: every event with its fields and a sample, from what the parser makes of the builders' bodies. */
export function eventsPage(): string {
  const sections = Object.entries(eventNotes).map(([title, notes]) => ({ title, notes }));
  const contents = sections.map(({ title, notes }) => {
    const links = notes.map((one) => `[${headingOf(one)}](#${anchorOf(headingOf(one))})`);
    return `| ${title} | ${links.join(", ")} |`;
  });
  return `${[
    "# Events",
    intro,
    "| About | Events |\n|---|---|\n".concat(contents.join("\n")),
    "## What every event has",
    headText,
    ...sections.flatMap(({ title, notes }) => [`## ${title}`, ...notes.map(entryOf)]),
    "## Shared shapes",
    "Whatever the platform sends beside these fields is in the event's `data`, as it came.",
    ...Object.entries(shared).map(([name, schema]) => `### ${name}\n\n${fieldTable(shapeOf(schema))}`),
  ].join("\n\n")}\n`;
}

/** Lists the names of the events that the page has, `(family)` behind those of several. */
export function eventsOnPage(): readonly { readonly family: string; readonly trigger: string }[] {
  return Object.values(eventNotes)
    .flat()
    .map((one) => {
      const { head } = exampleOf(one).event;
      return { family: head.family, trigger: head.trigger };
    });
}

const intro = `What a handler gets as \`event\`, for each name that [\`onTrigger\`](triggers.md) takes. This page is made by
\`npx node test/docs/write-events-page.ts\` from the parser and the builders of the test kit; a test holds it to them. What a
delivery must have to become an event, and how fields of odd form are read, stands in [reading.md](reading.md).

**?** behind a field says that it may be missing: most of the platform's fields may. A moment is a \`Date\`; ids are texts.`;

const headText = `\`kind\` (\`known\`, \`derived\` or \`unknown\`), \`trigger\`, \`data\` (what the platform sent, not for derived events), and \`head\`:

| Field | Is |
|---|---|
| \`key\` | equal for two deliveries of one fact ([identity.md](identity.md)) |
| \`lane\` | equal for what stays in order |
| \`family\`, \`engine\` | who calls: \`webhook\` (engine \`current\`), \`legacy\`, \`bot\`, \`notification\`, \`extension\` |
| \`appId\`?, \`region\`?, \`webhook\`? | where it comes from |
| \`occurredAt\`?, \`occurredAtField\`? | when it happened, and which field says so |
| \`actor\`? | uid of who did it |
| \`conversation\`? | \`id\` and \`type\` (\`user\` or \`group\`) |`;

const shared = { Message: messageSchema, User: userSchema, Group: groupSchema };

interface Example {
  readonly event: AppEvent;
  readonly body: object | undefined;
  /** The event of a body with nothing but what is required. */
  readonly bare: AppEvent | undefined;
}

function exampleOf({ builder }: EventNote): Example {
  const derived = Object.entries(derivedEvents).find(([name]) => name === builder);
  if (derived !== undefined) return { event: derived[1](), body: undefined, bare: undefined };
  const build = Object.entries(events).find(([name]) => name === builder)?.[1];
  if (build === undefined) throw new Error(`The test kit has no builder ${builder}.`);
  const body = build() as Record<string, unknown>;
  return { event: read(body), body, bare: read(bareOf(body)) };
}

/** The longest paths first, so that what stands beside them goes. */
function bareOf(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const required = requiredFields(body);
  const parts = new Set(["body", "data"]);
  const outer = Object.fromEntries(Object.entries(body).filter(([name]) => !parts.has(name)));
  return required.reduce<Record<string, unknown>>((bare, path) => {
    const value = path.reduce<unknown>((inner, name) => Object(inner)[name], body);
    path.slice(0, -1).reduce<Record<string, unknown>>((parent, name) => {
      parent[name] ??= Array.isArray(Object(body)[name]) ? [] : {};
      return parent[name] as Record<string, unknown>;
    }, bare);
    return withField(bare, path, value) as Record<string, unknown>;
  }, outer);
}

function read(body: Record<string, unknown>): AppEvent {
  const parsed = parseEvent(body, { appId: "app-1" });
  if (parsed.ok) return parsed.event;
  throw new Error(`This is no event: ${JSON.stringify(parsed.problems)}`);
}

function headingOf(one: EventNote): string {
  const { family, trigger } = exampleOf(one).event.head;
  const families = familiesOf(trigger);
  return families.length > 1 && family !== "webhook" ? `${trigger} (${family})` : trigger;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function familiesOf(trigger: string): readonly string[] {
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  return entries[trigger]?.families ?? [];
}

function entryOf(one: EventNote): string {
  const { event, body, bare } = exampleOf(one);
  const sure = event.kind === "known" ? sureness(event.trigger) : "derived by this system";
  const sample = body ?? event;
  return [
    `### ${headingOf(one)}`,
    `${one.when} ${sure} ([source](platform/${one.source})); builder \`${one.builder}\`.`,
    fieldTable(factsOf(event, bare)),
    `<details><summary>Sample</summary>\n\n\`\`\`json\n${compactJson(sample)}\n\`\`\`\n\n</details>`,
  ].join("\n\n");
}

/** What fits into a line stands in one. */
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

function sureness(trigger: string): string {
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  const { source, since } = entries[trigger] ?? {};
  const words = {
    documented: "Documented",
    "older-documentation": "In older documentation only",
    "seen-live": "Seen live",
  };
  return `${source === undefined ? "" : words[source]}${since === undefined ? "" : ` since ${since}`}`;
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

const common = new Set(["kind", "trigger", "family", "head", "data"]);

function factsOf(event: AppEvent, bare: AppEvent | undefined): readonly Field[] {
  const sure = new Map(Object.entries(bare ?? {}));
  return Object.entries(event)
    .filter(([name]) => !common.has(name))
    .flatMap(([name, value]) => fieldsOf(name, value, bare === undefined ? value : sure.get(name)));
}

/** A field, and those inside where its shape is no shared one. */
function fieldsOf(name: string, value: unknown, sure: unknown): readonly Field[] {
  const isOptional = sure === undefined;
  const known = sharedNameOf(name);
  if (known !== undefined) return [{ name, type: known, isOptional }];
  if (typeof value !== "object" || value === null || value instanceof Date) {
    return [{ name, type: typeOf(value), isOptional }];
  }
  if (Array.isArray(value)) {
    const [first] = value;
    if (typeof first !== "object" || first === null)
      return [{ name, type: `list of ${typeOf(first)}`, isOptional }];
    return [{ name, type: "list", isOptional }, ...innerFields(`${name}[]`, first, undefined)];
  }
  return [{ name, type: "object", isOptional }, ...innerFields(name, value, sure)];
}

function innerFields(name: string, value: object, sure: unknown): readonly Field[] {
  if (name.split(".").length > 2) return [];
  const known: Readonly<Record<string, unknown>> = Object(sure);
  return Object.entries(value).flatMap(([inner, one]) => fieldsOf(`${name}.${inner}`, one, known[inner]));
}

function sharedNameOf(name: string): string | undefined {
  if (/(^|\.)(message|call)$/.test(name)) return "[Message](#message)";
  if (/(^|\.)group$/.test(name)) return "[Group](#group)";
  if (/(^|\.)(members|users)$/.test(name)) return "list of [User](#user)";
  return /(^|\.)(user|by|reactedBy)$/.test(name) ? "[User](#user)" : undefined;
}

function typeOf(value: unknown): string {
  if (value instanceof Date) return "moment";
  return value === undefined ? "–" : typeof value === "string" ? "text" : typeof value;
}

/** What a field of the parser takes tells what it is. */
const probes: readonly [value: unknown, isIt: (read: unknown) => boolean, type: string][] = [
  [1_700_000_000, (read) => read instanceof Date, "moment"],
  ["some text", (read) => typeof read === "string", "text"],
  ["true", (read) => read === true, "boolean"],
  ["12", (read) => typeof read === "number", "number"],
  [[], Array.isArray, "list"],
  [{}, (read) => typeof read === "object", "object"],
];

function shapeOf(schema: object, prefix = ""): readonly Field[] {
  const { shape } = unwrapped(schema);
  return Object.entries(shape ?? {}).flatMap(([name, field]) => [
    {
      name: `${prefix}${name}`,
      type: probes.find(([value, isIt]) => isRead(field, value, isIt))?.[2] ?? "object",
      isOptional: z.safeParse(field as z.ZodMiniType, undefined).success,
    },
    ...(prefix === "" ? shapeOf(field, `${name}.`) : []),
  ]);
}

/** Looks behind what makes a field tolerant. */
function unwrapped(schema: object): { readonly shape?: Readonly<Record<string, z.core.$ZodType>> } {
  const { def } = schema as {
    readonly def: {
      readonly innerType?: object;
      readonly out?: object;
      readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
    };
  };
  const inner = def.innerType ?? def.out;
  return inner === undefined ? def : unwrapped(inner);
}

function isRead(field: z.core.$ZodType, value: unknown, isIt: (read: unknown) => boolean): boolean {
  const result = z.safeParse(field as z.ZodMiniType, value);
  return result.success && result.data !== undefined && isIt(result.data);
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, isOptional }) => `| \`${name}\`${isOptional ? "?" : ""} | ${type} |`,
  );
  return ["| Field | Is |", "|---|---|", ...rows].join("\n");
}
