import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../lib/base/json.ts";
import { invalid } from "./invalid.ts";

/** Bytes are base64. Sets are not supported. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };

export type Item = Readonly<Record<string, AttributeValue>>;

/** @throws AwsError for an unknown type, two types at once, or an invalid number */
export function readItem(value: unknown): Item {
  if (!isRecord(value)) throw invalid("An item must be a map of attribute names to values.");
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readValue(one)]));
}

const readers = new Map<string, (content: unknown) => AttributeValue>([
  ["S", (content) => ({ S: textOf(content) })],
  ["N", (content) => ({ N: readNumber(textOf(content)) })],
  ["B", (content) => ({ B: textOf(content) })],
  ["BOOL", (content) => ({ BOOL: content === true })],
  ["NULL", () => ({ NULL: true })],
  ["L", (content) => ({ L: listOf(content).map(readValue) })],
  ["M", (content) => ({ M: readItem(content) })],
]);

export function readValue(value: unknown): AttributeValue {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const [[type = "", content] = []] = entries;
  const read = readers.get(type);
  if (entries.length === 1 && read) return read(content);
  const types = [...readers.keys()].join(", ");
  throw invalid(`An AttributeValue must contain exactly one of the supported datatypes: ${types}`);
}

export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? "";
}

/** Compares in DynamoDB's order; undefined for other pairs of types. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if ("S" in one && "S" in other) return compareTexts(one.S, other.S);
  if ("N" in one && "N" in other) return Number(one.N) - Number(other.N);
  if ("B" in one && "B" in other) {
    return Buffer.compare(Buffer.from(one.B, "base64"), Buffer.from(other.B, "base64"));
  }
  return undefined;
}

export function areEqual(one: AttributeValue, other: AttributeValue): boolean {
  return "S" in one && "S" in other ? one.S === other.S : isDeepStrictEqual(one, other);
}

/** In the order of UTF-8, which is JavaScript's for texts without surrogates. */
function compareTexts(one: string, other: string) {
  if (one === other) return 0;
  if (surrogate.test(one) || surrogate.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

const surrogate = /[\ud800-\udfff]/;

/** Counts characters, bytes or elements; undefined for numbers, booleans and null. */
export function lengthOf(value: AttributeValue): number | undefined {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("L" in value) return value.L.length;
  return "M" in value ? Object.keys(value.M).length : undefined;
}

/**
 * Returns bytes, including names.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function sizeOfItem(item: Item): number {
  return sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + sizeOfValue(value)));
}

function sizeOfValue(value: AttributeValue): number {
  if ("N" in value) return Math.ceil(digitsOf(value.N).length / 2) + 1;
  if ("L" in value) return 3 + sum(value.L.map((one) => 1 + sizeOfValue(one)));
  if ("M" in value) return 3 + Object.keys(value.M).length + sizeOfItem(value.M);
  return lengthOf(value) ?? 1;
}

/** DynamoDB has 38 digits, JavaScript fewer. */
function readNumber(text: string) {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const read = String(Number(text));
  if (digitsOf(read) === digitsOf(text)) return read;
  throw invalid(`The local stack holds numbers of 15 significant digits: ${text}`);
}

function digitsOf(text: string) {
  return text
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}

function textOf(content: unknown) {
  if (typeof content === "string") return content;
  throw invalid("A value of type S, N or B must be a text.");
}

function listOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  throw invalid("A value of type L must be a list.");
}
