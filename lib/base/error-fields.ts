import { causesOf } from "./causes.ts";
import { describeError } from "./describe-error.ts";
import { placeOf } from "./fault-place.ts";
import { OwnError } from "./own-error.ts";

export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string | undefined;
}

export function errorFields(error: unknown): ErrorFields {
  const stack = causesOf(error).every((one) => one instanceof OwnError) ? undefined : placeOf(error);
  return { cause: describeError(error), stack };
}
