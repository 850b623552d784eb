/**
 * Thrown by a trigger handler for an event that it can never handle, however often it is tried: the event goes to the
 * dead-letter queue at once, with this message as the cause, and its lane goes on. Keep message texts out of it.
 */
export class PermanentError extends Error {
  override readonly name = "PermanentError";
}
