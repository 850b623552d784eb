import { isJsonObject, type JsonObject } from "../json.ts";
import type { Row } from "./database.ts";

/** Reads a text column. @throws TypeError when the column holds something else. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

/** Reads a text column that may be NULL. */
export function optionalTextIn(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" ? value : undefined;
}

/** Reads a number column. @throws TypeError when the column holds something else. */
export function integerIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`Column ${column} holds no number.`);
  return value;
}

/** Reads a number column that may be NULL. */
export function optionalIntegerIn(row: Row, column: string): number | undefined {
  const value = row[column];
  return typeof value === "number" ? value : undefined;
}

/** Reads a column of 0 or 1. */
export function flagIn(row: Row, column: string): boolean {
  return row[column] === 1;
}

/** Reads a column of JSON text that holds an object. @throws TypeError when it does not. */
export function jsonObjectIn(row: Row, column: string): JsonObject {
  const value: unknown = JSON.parse(textIn(row, column));
  if (!isJsonObject(value)) throw new TypeError(`Column ${column} holds no JSON object.`);
  return value;
}

/** Reads a column of JSON text that holds the entity `is` recognises. @throws TypeError when it does not. */
export function entityIn<T>(row: Row, column: string, is: (value: unknown) => value is T): T {
  const value: unknown = JSON.parse(textIn(row, column));
  if (!is(value)) throw new TypeError(`Column ${column} holds another entity.`);
  return value;
}
