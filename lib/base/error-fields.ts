import { causesOf } from "./causes.ts";
import { describeError } from "./describe-error.ts";
import { placeOf } from "./fault-place.ts";

/** What a log line says of an error: what it was caused by and, where it is a fault of ours, where it was made. */
export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string;
}

/** Errors that nobody throws on purpose. */
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
    return false; // an error that cannot say its name is described without a stack
  }
}
