import { describeError } from "../base/describe-error.ts";
import { OwnError } from "../base/errors.ts";
import { isError } from "../base/realm.ts";

/**
 * An execution's history stores it: omits values that a handler's error may quote. Keeps the SDK's errors.
 */
export function toStoredError(error: unknown): unknown {
  const isHandlers = isError(error) && !(error instanceof OwnError) && !isOfSdk(error);
  if (!isHandlers) return error;
  const message = describeError(error).replace(/^[\w$.-]+:? ?/, "");
  return Object.defineProperty(new OwnError(message, { cause: error }), "name", { value: error.name });
}

const isOfSdk = (error: Error) => "toErrorObject" in error || "isUnrecoverable" in error;
