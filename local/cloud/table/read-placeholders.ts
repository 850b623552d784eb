import { readValue } from "./attribute-value.ts";
import { type Placeholders, refuseUnused } from "./expression-reader.ts";

/** The part of a request that its expressions share. */
interface Given {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Reads a request's expressions with its names and values.
 * @throws TableError also when a name or value is used by none of them
 */
export function withPlaceholders<T>(given: Given, read: (placeholders: Placeholders) => T): T {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = given;
  const values = Object.fromEntries(
    Object.entries(ExpressionAttributeValues).map(([name, value]) => [name, readValue(value)]),
  );
  const placeholders: Placeholders = { names, values, used: new Set() };
  const result = read(placeholders);
  refuseUnused(placeholders);
  return result;
}
