import { NothingCountedError } from "./reconcile-apps.ts";
import { ReconcileRequestError } from "./reconcile-request.ts";

/** What Lambda would answer, had the function thrown. */
export interface Refusal {
  readonly errorType: string;
  readonly errorMessage: string;
}

/**
 * Makes an answer of what was asked in a wrong way: thrown, it would count as the function's error and ring an alarm for
 * somebody's typing.
 * @throws any other error that it is given
 */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ReconcileRequestError || error instanceof NothingCountedError)) throw error;
  return { errorType: error.name, errorMessage: error.message };
}
