import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";

/** The sender then gets the configured answer for undecided messages. */
export class InvalidAnswerError extends OwnError {
  override readonly name = "InvalidAnswerError";
}

/** Undefined if it is no object, or JSON would differ: of dates, promises, NaN. */
export function asJsonObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(JSON.stringify(value, exactly));
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function exactly(this: Readonly<Record<string, unknown>>, name: string, said: unknown): unknown {
  const value = this[name];
  if (typeof value === "object" ? isPlain(value) : isSayable(value)) return said;
  throw new TypeError("JSON cannot represent this exactly.");
}

const isPlain = (value: object | null) =>
  value === null || Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));

const isSayable = (value: unknown) =>
  ["string", "boolean", "undefined"].includes(typeof value) || Number.isFinite(value);

/** @throws InvalidAnswerError if it is not an object, or has other fields */
export function readAnswer(answer: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = asJsonObject(answer);
  if (fields === undefined) throw new InvalidAnswerError("An answer must be a JSON object.");
  if (Object.keys(fields).every((name) => names.includes(name))) return fields;
  throw new InvalidAnswerError("An answer has an unknown field.");
}
