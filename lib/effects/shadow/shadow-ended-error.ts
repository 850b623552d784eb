/** Ends a handler in shadow at an effect whose result cannot be known. The handler counts as done. */
export class ShadowEndedError extends Error {
  override readonly name = "ShadowEndedError";
  /** Nothing was sent. */
  readonly maybeExecuted = false as const;

  constructor(what: string) {
    super(`In shadow nothing is done, and the handler cannot continue without: ${what}.`);
  }
}
