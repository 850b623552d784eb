import type { Fields, FieldType } from "../../../api/explorer.ts";

/** Returns a field's or item's documented type; undefined if any is allowed. */
export function innerType(type: FieldType | undefined, name: string): FieldType | undefined {
  if (isList(type)) return type[0];
  if (typeof type === "string") return type.endsWith("[]") ? type.slice(0, -2) : undefined;
  return type?.[name] ?? type?.[`${name}!`] ?? type?.["*"];
}

export function isRequired(type: FieldType | undefined, name: string): boolean {
  return isFields(type) && `${name}!` in type;
}

export function isOpenGroup(type: FieldType | undefined, base: unknown): boolean {
  if (type === undefined) return base === undefined;
  return type === "object" || (isFields(type) && "*" in type);
}

export function namesOf(type: FieldType | undefined): string[] {
  return isFields(type)
    ? Object.keys(type)
        .filter((name) => name !== "*")
        .map(plain)
    : [];
}

export function sampleFields(fields: Fields): Record<string, unknown> {
  const required = Object.entries(fields).filter(([name]) => name.endsWith("!"));
  return Object.fromEntries(required.map(([name, inner]) => [plain(name), sampleOf(inner)]));
}

export function sampleOf(type: FieldType | undefined): unknown {
  if (isFields(type)) return sampleFields(type);
  if (isList(type)) return [sampleOf(type[0])];
  if (type === undefined || type === "string" || type === "binary") return "";
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  if (type === "array") return [];
  if (type.endsWith("[]")) return [sampleOf(innerType(type, ""))];
  const [first = ""] = type.split("|");
  return /^\d+$/.test(first) ? Number(first) : first;
}

/** Returns the allowed words; undefined if any text is allowed. */
export function choicesOf(type: FieldType | undefined): readonly string[] | undefined {
  const words = typeof type === "string" ? type.split("|") : [];
  return words.length > 1 && !words.includes("") ? words : undefined;
}

export function pickKnown(fields: Fields, value: unknown): Record<string, unknown> {
  if (!isGroup(value)) return {};
  const known = Object.entries(fields).map(([name, type]) => [plain(name), type] as const);
  return Object.fromEntries(
    known.filter(([name, type]) => fits(type, value[name])).map(([name]) => [name, value[name]]),
  );
}

function fits(type: FieldType, value: unknown) {
  const sample = sampleOf(type);
  return value !== null && Array.isArray(value) === Array.isArray(sample) && typeof value === typeof sample;
}

function isList(type: FieldType | undefined): type is readonly [FieldType] {
  return Array.isArray(type);
}

function isFields(type: FieldType | undefined): type is Fields {
  return typeof type === "object" && !isList(type);
}

function plain(name: string) {
  return name.replace(/!$/, "");
}

export type Group = Readonly<Record<string, unknown>>;

export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a copy with the field set, at the end if new; removed if undefined. */
export function withField(value: Group | readonly unknown[], name: string, inner: unknown): unknown {
  const entries: [string, unknown][] = Object.entries(value);
  const place = entries.findIndex(([one]) => one === name);
  if (inner === undefined) entries.splice(place, 1);
  else if (place === -1) entries.push([name, inner]);
  else entries[place] = [name, inner];
  // Unlike assignment, this keeps a field named __proto__.
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

export function countValues(value: unknown): number {
  const inner = typeof value === "object" && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + countValues(one), 1);
}

export function write(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** Parses JSON; returns other text unchanged. */
export function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the first integer that JavaScript would round. */
export function roundedIn(text: string): string | undefined {
  const outsideTexts = text.replace(/"(?:\\.|[^"\\])*"/g, '""');
  const numbers = outsideTexts.match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.filter((number) => /^-?\d+$/.test(number)).find(isRounded);
}

function isRounded(digits: string) {
  const number = Number(digits);
  return !Number.isFinite(number) || BigInt(digits) !== BigInt(number);
}
