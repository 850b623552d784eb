import * as z from "zod/mini";
import { isRecord } from "../../lib/base/json.ts";
import type { Field, Shape } from "./shape.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Adds a schema's checks, such as `1 to 100 characters`, or the usual meaning of a field's name and type.
 * @param schema of an input; undefined for an answer
 */
export function describeFields(shape: Shape, schema?: z.ZodMiniType): Shape {
  return schema === undefined ? describe(shape, {}) : describe(shape, toJson(schema));
}

/** Makes messages of custom checks descriptions of JSON Schema. */
function toJson(schema: z.ZodMiniType): Json {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)];
      const messages = checks.map(messageOf).filter((text) => text !== "");
      if (messages.length > 0) jsonSchema.description = messages.join(", ");
    },
  });
}

function messageOf(definition: object) {
  const { check, error, path }: Json = { ...definition };
  const isCustom = (check === "custom" || check === "string_format") && path === undefined;
  const message: unknown = isCustom && typeof error === "function" ? error({}) : "";
  return typeof message === "string" && !/^an? (?:object|Blob)$/.test(message) ? message : "";
}

function describe(shape: Shape, schema: unknown): Shape {
  const json = withoutNull(schema);
  switch (shape.kind) {
    case "text":
      return shape;
    case "list":
      return { ...shape, of: describe(shape.of, json.items) };
    case "union":
      return {
        ...shape,
        of: inOrder(shape.of, alternatives(json)).map((part) => describe(part, optionFor(part, json))),
      };
    case "object": {
      const fields = isRecord(json.properties) ? json.properties : {};
      return {
        ...shape,
        fields: shape.fields.map((field) => describeField(field, fields[field.name])),
        others: shape.others && describe(shape.others, json.additionalProperties),
      };
    }
  }
}

function describeField(field: Field, schema: unknown): Field {
  const limit = limitsOf(schema).replace(/^./, (letter) => letter.toUpperCase());
  const isSaid = limit === "" || numbersIn(limit).some((number) => numbersIn(field.doc).includes(number));
  const doc = isSaid ? field.doc : [field.doc, `${limit}.`].filter(Boolean).join(" ");
  const meaning = meanings.find(({ name, type }) => name.test(field.name) && type === typeOf(field.shape));
  return { ...field, doc: doc || (meaning?.doc ?? ""), shape: describe(field.shape, schema) };
}

/**
 * Documents fields without docs by name and type.
 * @see docs/internals/platform/ids-and-limits.md#timestamps, which names the exceptions,
 * docs/internals/platform/ids-and-limits.md#conversation-ids and
 * docs/internals/platform/answers-and-errors.md#lists-by-cursor
 */
const meanings = [
  { name: /At$/, type: "number", doc: "Unix seconds." },
  { name: /^conversationId$/, type: "string", doc: "`group_<guid>`, or the two uids around `_user_`." },
  { name: /^withTags$/, type: "boolean", doc: "Answers tags, too." },
  {
    name: /^affix$/,
    type: '"append" | "prepend"',
    doc: "`append`: what comes after the cursor. `prepend`: what comes before it.",
  },
];

function typeOf(shape: Shape): string {
  if (shape.kind === "union") return shape.of.map(typeOf).join(" | ");
  return shape.kind === "text" ? shape.text : "";
}

function limitsOf(schema: unknown): string {
  const json = withoutNull(schema);
  const each = json.items === undefined ? "" : limitsOf(json.items);
  const parts = [
    amount(json.minItems, json.maxItems, "item"),
    amount(json.minLength, json.maxLength, "character"),
    json.description,
    each && `each ${each}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function amount(least: unknown, most: unknown, thing: string) {
  const count = (value: unknown) => `${Number(value).toLocaleString("en")} ${thing}${value === 1 ? "" : "s"}`;
  if (most !== undefined)
    return least === undefined ? `at most ${count(most)}` : `${least} to ${count(most)}`;
  return least === undefined ? "" : `at least ${count(least)}`;
}

function optionsOf({ anyOf }: Json): readonly unknown[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

function withoutNull(schema: unknown): Json {
  const json = isRecord(schema) ? schema : {};
  const [only, ...others] = optionsOf(json).filter((option) => isRecord(option) && option.type !== "null");
  return isRecord(only) && others.length === 0 ? { ...only, ...json } : json;
}

function alternatives(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return [];
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [schema.const];
  const own = values.filter((value) => value !== undefined).map((value) => JSON.stringify(value));
  return [...own, ...optionsOf(schema).flatMap(alternatives)];
}

function optionFor(part: Shape, json: Json): unknown {
  if (part.kind !== "object") return undefined;
  const names = new Set(part.fields.map(({ name }) => name));
  // The type may have forms where the schema has a check, as of a message's receiver.
  return [...optionsOf(json), json].find(
    (option) =>
      isRecord(option) &&
      isRecord(option.properties) &&
      names.symmetricDifference(new Set(Object.keys(option.properties))).size === 0,
  );
}

function inOrder(shapes: readonly Shape[], texts: readonly string[]): readonly Shape[] {
  const rank = (shape: Shape) => (shape.kind === "text" ? texts.indexOf(shape.text) : -1);
  return shapes.every((shape) => rank(shape) >= 0) ? shapes.toSorted((a, b) => rank(a) - rank(b)) : shapes;
}

function numbersIn(text: string): readonly string[] {
  return text.match(/\d[\d,]*/g) ?? [];
}
