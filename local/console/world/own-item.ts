import type { AttributeValue, Item } from "../../cloud/table/attribute-value.ts";

export function readOwnItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlain(value)]));
}

function toPlain(value: AttributeValue): unknown {
  if ("S" in value) return value.S;
  if ("N" in value) return Number(value.N);
  if ("BOOL" in value) return value.BOOL;
  if ("NULL" in value) return null;
  if ("L" in value) return value.L.map(toPlain);
  if ("M" in value) return readOwnItem(value.M);
  return `${Buffer.from(value.B, "base64").byteLength} bytes`;
}
