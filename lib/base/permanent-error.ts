import { OwnError } from "./own-error.ts";

/**
 * Throw this from a trigger handler for an event that no retry can handle: it goes to the dead-letter queue
 * immediately, with this message as the cause, and its lane continues. Do not include message texts.
 */
export class PermanentError extends OwnError {
  override readonly name = "PermanentError";
}
