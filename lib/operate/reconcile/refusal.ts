import { NothingCountedError } from "./reconcile-apps.ts";
import { ReconcileRequestError } from "./reconcile-request.ts";

/** As if the function had thrown. */
export interface Refusal {
  readonly errorType: string;
  readonly errorMessage: string;
}

/**
 * Thrown, a wrong request would count as the function's error and raise an alarm for a typing error.
 * @throws any other error
 */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ReconcileRequestError || error instanceof NothingCountedError)) throw error;
  return { errorType: error.name, errorMessage: error.message };
}
