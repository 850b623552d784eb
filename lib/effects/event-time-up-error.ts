/** Thrown on behalf of a handler that does not end within the event's time. */
export class EventTimeUpError extends Error {
  override readonly name = "EventTimeUpError";
  /** The destination it waited for; undefined if no request was pending and none had failed. */
  readonly waitedFor: string | undefined;

  constructor(limitMs: number, waitedFor: string | undefined) {
    const advice =
      waitedFor === undefined
        ? "Await less, or give what it awaits a time limit."
        : `It waited for ${waitedFor}, which does not answer in time.`;
    super(`It did not end within ${limitMs / 1000} s. ${advice}`);
    this.waitedFor = waitedFor;
  }
}
