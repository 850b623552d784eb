import { type AttributeValue, compareValues, type Item, sizeOfItem, typeOf } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";

export interface KeyAttribute {
  readonly name: string;
  readonly type: "S" | "N" | "B";
}

export interface KeySchema {
  readonly hash: KeyAttribute;
  readonly range?: KeyAttribute | undefined;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const maxHashBytes = 2048;
const maxRangeBytes = 1024;

export function attributesOf({ hash, range }: KeySchema): KeyAttribute[] {
  return range ? [hash, range] : [hash];
}

export function keyOf(schema: KeySchema, item: Item): Item {
  return Object.fromEntries(
    attributesOf(schema).flatMap(({ name }) => (item[name] ? [[name, item[name]]] : [])),
  );
}

export function writeKey(key: Item): string {
  return JSON.stringify({ M: Object.entries(key).toSorted(([one], [other]) => (one < other ? -1 : 1)) });
}

export function checkItemKey(schema: KeySchema, item: Item): void {
  for (const attribute of attributesOf(schema)) {
    const { name, type } = attribute;
    const value = item[name];
    if (value === undefined) {
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    }
    if (typeOf(value) !== type) {
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
      );
    }
    checkKeyValue(name, value, attribute === schema.hash ? maxHashBytes : maxRangeBytes);
  }
}

export function checkKey(schema: KeySchema, key: Item): void {
  const attributes = attributesOf(schema);
  const fits = attributes.every(({ name, type }) => key[name] && typeOf(key[name]) === type);
  if (!fits || Object.keys(key).length !== attributes.length) {
    throw invalid("The provided key element does not match the schema");
  }
  checkItemKey(schema, key);
}

export function hashOf({ hash }: KeySchema, item: Item): string {
  return JSON.stringify(item[hash.name] ?? "");
}

export function compareRanges({ range }: KeySchema, one: Item, other: Item): number {
  const [left, right] = range ? [one[range.name], other[range.name]] : [];
  return (left && right && compareValues(left, right)) ?? 0;
}

function checkKeyValue(name: string, value: AttributeValue, maxBytes: number) {
  const bytes = sizeOfItem({ "": value });
  if (bytes === 0) {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  if (bytes <= maxBytes) return;
  throw invalid(`One or more parameter values were invalid: Size of ${name} exceeds ${maxBytes} bytes`);
}
