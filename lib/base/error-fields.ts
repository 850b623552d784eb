import { causesOf } from "./causes.ts";
import { describeError } from "./describe-error.ts";
import { placeOf } from "./fault-place.ts";

export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string;
}

/** Errors that no code throws on purpose. */
const faultNames = /^(Error|(Type|Range|Reference|Syntax|URI|Eval)Error)$/;

export function errorFields(error: unknown): ErrorFields {
  const stack = causesOf(error).some(isFault) ? placeOf(error) : undefined;
  return { cause: describeError(error), ...(stack !== undefined && { stack }) };
}

function isFault(error: Error): boolean {
  try {
    return faultNames.test(error.name);
  } catch {
    return false;
  }
}
