import { isRecord } from "../base/json.ts";
import { OwnError } from "../base/own-error.ts";
import type { Item, ItemValue } from "./table.ts";

/** A table cannot hold the value, or a stored type is not used here. The message never quotes the value. */
export class ItemValueError extends OwnError {
  override readonly name = "ItemValueError";
}

/** @throws ItemValueError for a number that is not finite */
export function toAttributes(item: Item): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

/**
 * Sets are not supported.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 * @throws ItemValueError if the input is not a map of attribute values
 */
export function readAttributes(attributes: unknown): Item {
  if (!isRecord(attributes)) throw new ItemValueError("The table gave no item where one belongs.");
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, readAttribute(attribute)]),
  );
}

function toAttribute(value: Exclude<ItemValue, undefined>): unknown {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new ItemValueError("A table cannot hold a number that is not finite.");
    return { N: String(value) };
  }
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  if (isList(value)) return { L: value.flatMap((one) => (one === undefined ? [] : [toAttribute(one)])) };
  return { M: toAttributes(value) };
}

function readAttribute(attribute: unknown): ItemValue {
  const [entry] = isRecord(attribute) ? Object.entries(attribute) : [];
  const [type, value] = entry ?? [];
  if (type === "S" && typeof value === "string") return value;
  if (type === "N" && typeof value === "string") return Number(value);
  if (type === "BOOL" && typeof value === "boolean") return value;
  if (type === "NULL") return null;
  if (type === "B" && typeof value === "string") return Buffer.from(value, "base64");
  if (type === "L" && Array.isArray(value)) return value.map(readAttribute);
  if (type === "M") return readAttributes(value);
  throw new ItemValueError(`The table gave a value of type ${type}, which is not used here.`);
}

function isList(value: object): value is readonly ItemValue[] {
  return Array.isArray(value);
}
