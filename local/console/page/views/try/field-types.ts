import type { Fields, FieldType } from "../../../api/explorer.ts";
import { isGroup, type Path } from "./json-edit.ts";

/** The documented type at a path; undefined inside of free objects and for undocumented names. */
export function typeAt(type: FieldType | undefined, path: Path): FieldType | undefined {
  const [name, ...rest] = path;
  if (type === undefined || name === undefined) return type;
  if (typeof type === "string") return typeof name === "number" ? typeAt(itemOf(type), rest) : undefined;
  if (isList(type)) return typeAt(type[0], rest);
  return typeAt(type[name] ?? type[`${name}!`] ?? type["*"], rest);
}

export function isRequiredAt(type: FieldType | undefined, path: Path): boolean {
  const around = typeAt(type, path.slice(0, -1));
  return isFields(around) && `${path.at(-1)}!` in around;
}

/** Fields that may be added at a path. */
export function namesAt(type: FieldType | undefined, path: Path): string[] {
  const inner = typeAt(type, path);
  return isFields(inner)
    ? Object.keys(inner)
        .filter((name) => name !== "*")
        .map(plain)
    : [];
}

/** An object's required fields, each with a value to begin with. */
export function sampleFields(fields: Fields): Record<string, unknown> {
  const required = Object.entries(fields).filter(([name]) => name.endsWith("!"));
  return Object.fromEntries(required.map(([name, inner]) => [plain(name), sampleOf(inner)]));
}

/** A value to begin with, such as a choice's first word. */
export function sampleOf(type: FieldType | undefined): unknown {
  if (isFields(type)) return sampleFields(type);
  if (isList(type)) return [sampleOf(type[0])];
  if (type === undefined || type === "string" || type === "binary") return "";
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  if (type === "array" || type.endsWith("[]")) return type === "array" ? [] : [sampleOf(itemOf(type))];
  const [first = ""] = type.split("|");
  return /^\d+$/.test(first) ? Number(first) : first;
}

/** The words that a text must be one of; undefined if any text is allowed. */
export function choicesOf(type: FieldType | undefined): readonly string[] | undefined {
  const words = typeof type === "string" ? type.split("|") : [];
  return words.length > 1 && !words.includes("") ? words : undefined;
}

/** The documented fields of a value that have the documented form. */
export function pickKnown(fields: Fields, value: unknown): Record<string, unknown> {
  if (!isGroup(value)) return {};
  const known = Object.entries(fields).map(([name, type]) => [plain(name), type] as const);
  return Object.fromEntries(
    known.filter(([name, type]) => fits(type, value[name])).map(([name]) => [name, value[name]]),
  );
}

function fits(type: FieldType, value: unknown): boolean {
  const sample = sampleOf(type);
  if (Array.isArray(value) || Array.isArray(sample)) return Array.isArray(value) && Array.isArray(sample);
  return value !== null && typeof value === typeof sample;
}

function isList(type: FieldType | undefined): type is readonly [FieldType] {
  return Array.isArray(type);
}

function isFields(type: FieldType | undefined): type is Fields {
  return typeof type === "object" && !isList(type);
}

function itemOf(type: string): FieldType | undefined {
  return type.endsWith("[]") ? type.slice(0, -2) : undefined;
}

function plain(name: string): string {
  return name.replace(/!$/, "");
}
