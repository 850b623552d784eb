import { causesOf } from "./causes.ts";
import { describeError } from "./describe-error.ts";
import { placeOf } from "./fault-place.ts";
import { OwnError } from "./own-error.ts";

/** Log fields of an error: its causes and, unless this project throws them on purpose, the place in the code. */
export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string;
}

/** Describes an error for a log line. Never throws. */
export function errorFields(error: unknown): ErrorFields {
  const stack = causesOf(error).every((one) => one instanceof OwnError) ? undefined : placeOf(error);
  return { cause: describeError(error), ...(stack !== undefined && { stack }) };
}
