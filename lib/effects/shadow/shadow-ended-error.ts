/**
 * Ends a handler in shadow: it would have done something now, and what it would do with the result cannot be known. It
 * counts as done.
 */
export class ShadowEndedError extends Error {
  override readonly name = "ShadowEndedError";
  /** Nothing left. */
  readonly maybeExecuted = false as const;

  constructor(what: string) {
    super(`In shadow nothing is done, and the handler cannot go on without: ${what}.`);
  }
}
