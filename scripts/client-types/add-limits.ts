import { isRecord } from "../../lib/json.ts";
import type { Field, Shape } from "./shape.ts";

/**
 * Adds to the docs of an input's fields what its schema checks beyond the type, such as `1 to 100 characters`, and puts
 * alternatives into the schema's order.
 */
export function addLimits(shape: Shape, schema: unknown): Shape {
  const bare = inner(schema);
  const { def } = bare;
  switch (shape.kind) {
    case "text":
      return shape;
    case "list":
      return { ...shape, of: addLimits(shape.of, def.element) };
    case "union":
      return {
        ...shape,
        of: inOrder(shape.of, alternatives(def)).map((part) => addLimits(part, optionFor(part, def))),
      };
    case "object": {
      const fields = isRecord(def.shape) ? def.shape : {};
      return {
        ...shape,
        fields: shape.fields.map((field) => limitField(field, fields[field.name])),
        others: shape.others && def.valueType ? addLimits(shape.others, def.valueType) : shape.others,
      };
    }
  }
}

function limitField(field: Field, schema: unknown): Field {
  const limit = describe(schema);
  const isSaid = limit === "" || numbersIn(limit).some((number) => numbersIn(field.doc).includes(number));
  return {
    ...field,
    doc: isSaid
      ? field.doc
      : [field.doc, `${limit.slice(0, 1).toUpperCase()}${limit.slice(1)}.`].filter(Boolean).join(" "),
    shape: addLimits(field.shape, schema),
  };
}

/** Says what a schema checks beyond the type; empty for nothing. */
function describe(schema: unknown): string {
  const { def, checks } = inner(schema);
  const [least, most] = [bound(checks, "min_length", "minimum"), bound(checks, "max_length", "maximum")];
  const said = checks.map(messageOf).filter((text) => text !== "");
  if (def.type === "array") {
    const each = describe(def.element);
    return [amount(least, most, "item"), ...said, each && `each ${each}`].filter(Boolean).join(", ");
  }
  return [amount(least, most, "character"), ...said].filter(Boolean).join(", ");
}

function amount(least: number | undefined, most: number | undefined, thing: string): string {
  const count = (value: number) => `${value.toLocaleString("en")} ${thing}${value === 1 ? "" : "s"}`;
  if (most !== undefined)
    return least === undefined ? `at most ${count(most)}` : `${least} to ${count(most)}`;
  return least === undefined ? "" : `at least ${count(least)}`;
}

function bound(checks: readonly Definition[], check: string, field: string): number | undefined {
  const value = checks.find((one) => one.check === check)?.[field];
  return typeof value === "number" ? value : undefined;
}

/** What a check of one's own says of itself; one that is about a field within says it there. */
function messageOf({ check, error, path }: Definition): string {
  const isOwn = (check === "custom" || check === "string_format") && path === undefined;
  const message: unknown = isOwn && typeof error === "function" ? error({}) : undefined;
  return typeof message === "string" && !saysOnlyTheType.test(message) ? message : "";
}

const saysOnlyTheType = /^an? (?:object|Blob)$/;

type Definition = Readonly<Record<string, unknown>>;

/** Looks behind optional, nullable and what is changed after the check. */
function inner(schema: unknown): { readonly def: Definition; readonly checks: readonly Definition[] } {
  const def = definitionOf(schema);
  const next = def.innerType ?? def.in;
  if (next !== undefined) return inner(next);
  const checks = Array.isArray(def.checks) ? def.checks.map(definitionOf) : [];
  return { def, checks: def.check === undefined ? checks : [def, ...checks] };
}

function definitionOf(schema: unknown): Definition {
  const zod = isRecord(schema) ? schema._zod : undefined;
  return isRecord(zod) && isRecord(zod.def) ? zod.def : {};
}

function alternatives({ entries, values, options }: Definition): readonly string[] {
  const known = isRecord(entries) ? Object.values(entries) : Array.isArray(values) ? values : [];
  const within = Array.isArray(options)
    ? options.flatMap((option) => alternatives(definitionOf(option)))
    : [];
  return [...known.map((value) => JSON.stringify(value)), ...within];
}

/** Which of a union's schemas an object of the union has: the one with the same fields. */
function optionFor(part: Shape, { options }: Definition): unknown {
  if (part.kind !== "object" || !Array.isArray(options)) return undefined;
  const names = part.fields.map(({ name }) => name).toSorted();
  return options.find((option) => {
    const { shape } = inner(option).def;
    return isRecord(shape) && Object.keys(shape).toSorted().join() === names.join();
  });
}

function inOrder(shapes: readonly Shape[], texts: readonly string[]): readonly Shape[] {
  const rank = (shape: Shape) => (shape.kind === "text" ? texts.indexOf(shape.text) : -1);
  return shapes.every((shape) => rank(shape) >= 0) ? shapes.toSorted((a, b) => rank(a) - rank(b)) : shapes;
}

function numbersIn(text: string): readonly string[] {
  return text.match(/\d[\d,]*/g) ?? [];
}
