import { causesOf } from "./causes.ts";
import { describeError } from "./describe-error.ts";
import { placeOf } from "./fault-place.ts";

/** Log fields of an error: its causes and, for a bug, the place in the code. */
export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string;
}

/** Errors that no code throws on purpose. */
const faultNames = /^(Error|(Type|Range|Reference|Syntax|URI|Eval)Error)$/;

/** Describes an error for a log line. Never throws. */
export function errorFields(error: unknown): ErrorFields {
  const stack = causesOf(error).some(isFault) ? placeOf(error) : undefined;
  return { cause: describeError(error), ...(stack !== undefined && { stack }) };
}

function isFault(error: Error): boolean {
  try {
    return faultNames.test(error.name);
  } catch {
    return false; // an error with an unreadable name is described without a stack
  }
}
