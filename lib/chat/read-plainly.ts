import { InvalidInputError } from "./errors.ts";

/** Turns any error while reading into an InvalidInputError. */
export function readPlainly<T>(operation: string, whole: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInputError) throw error;
    throw new InvalidInputError(operation, whole, "plain data that can be read and written as JSON");
  }
}

export function typeNameOf(value: unknown): string {
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return Array.isArray(value) ? "array" : typeof value;
}
