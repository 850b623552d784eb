import { compareNumbers, normaliseNumber, sizeOfNumber } from "./decimal.ts";
import { invalid } from "./invalid.ts";

/** A value in the JSON protocol; bytes are base64. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };

export type Item = Readonly<Record<string, AttributeValue>>;

/** @throws AwsError for an unknown type, two types at once, an empty set or an invalid number */
export function readItem(value: unknown): Item {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("An item must be a map of attribute names to values.");
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readValue(one)]));
}

/** @throws AwsError as `readItem` */
export function readValue(value: unknown): AttributeValue {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const [[type, content] = []] = entries;
  if (entries.length !== 1) {
    throw invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  }
  switch (type) {
    case "S":
    case "B":
      return type === "S" ? { S: textOf(content) } : { B: textOf(content) };
    case "N":
      return { N: normaliseNumber(textOf(content)) };
    case "BOOL":
      return { BOOL: content === true };
    case "NULL":
      return { NULL: true };
    case "SS":
    case "NS":
    case "BS": {
      const members = membersOf(content);
      return writeSet({ type, members: type === "NS" ? members.map(normaliseNumber) : members });
    }
    case "L":
      return { L: listOf(content).map(readValue) };
    case "M":
      return { M: readItem(content) };
    default:
      throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
}

/** A set of texts, numbers or byte strings. */
export interface ValueSet {
  readonly type: "SS" | "NS" | "BS";
  readonly members: readonly string[];
}

/** Undefined for other values. */
export function setIn(value: AttributeValue): ValueSet | undefined {
  if ("SS" in value) return { type: "SS", members: value.SS };
  if ("NS" in value) return { type: "NS", members: value.NS };
  return "BS" in value ? { type: "BS", members: value.BS } : undefined;
}

export function writeSet({ type, members }: ValueSet): AttributeValue {
  if (type === "SS") return { SS: members };
  return type === "NS" ? { NS: members } : { BS: members };
}

export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? "";
}

/** Ignores the order in sets. */
export function areEqual(one: AttributeValue, other: AttributeValue): boolean {
  return canonical(one) === canonical(other);
}

/** DynamoDB's order of texts, numbers or byte strings; undefined for other pairs. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if ("S" in one && "S" in other) return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if ("N" in one && "N" in other) return compareNumbers(one.N, other.N);
  if ("B" in one && "B" in other) {
    return Buffer.compare(Buffer.from(one.B, "base64"), Buffer.from(other.B, "base64"));
  }
  return undefined;
}

/** Equal values have equal texts. */
export function canonical(value: AttributeValue): string {
  return JSON.stringify(sorted(value));
}

/**
 * In bytes, with names.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function sizeOfItem(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value),
    0,
  );
}

/** Returns what `size()` counts: characters, bytes or elements; undefined for numbers, booleans and null. */
export function lengthOf(value: AttributeValue): number | undefined {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("L" in value) return value.L.length;
  if ("M" in value) return Object.keys(value.M).length;
  return setIn(value)?.members.length;
}

function sizeOfValue(value: AttributeValue): number {
  const set = setIn(value);
  if (set?.type === "NS") return sum(set.members.map(sizeOfNumber));
  if (set)
    return sum(set.members.map((text) => Buffer.byteLength(text, set.type === "BS" ? "base64" : "utf8")));
  if ("N" in value) return sizeOfNumber(value.N);
  if ("L" in value) return 3 + sum(value.L.map((one) => 1 + sizeOfValue(one)));
  if ("M" in value) return 3 + Object.keys(value.M).length + sizeOfItem(value.M);
  return lengthOf(value) ?? 1;
}

function sorted(value: AttributeValue): unknown {
  const set = setIn(value);
  if (set) return writeSet({ ...set, members: set.members.toSorted() });
  if ("L" in value) return { L: value.L.map(sorted) };
  if (!("M" in value)) return value;
  const entries = Object.entries(value.M).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { M: entries.map(([name, one]) => [name, sorted(one)]) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  throw invalid("A value of type S, N or B must be a text.");
}

function listOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  throw invalid("A value of type L or of a set must be a list.");
}

function membersOf(content: unknown): string[] {
  const texts = listOf(content).map(textOf);
  if (texts.length === 0) {
    throw invalid("One or more parameter values were invalid: An string set  may not be empty");
  }
  if (new Set(texts).size < texts.length) {
    const text = `Input collection [${texts.join(", ")}] contains duplicates.`;
    throw invalid(`One or more parameter values were invalid: ${text}`);
  }
  return texts;
}
