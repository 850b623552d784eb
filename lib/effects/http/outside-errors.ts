// None of these says more of a request than its method and host: paths, queries, headers and bodies may hold what somebody
// wrote, or a secret.

/** Says that a request may not be made, or cannot be: nothing was sent, and nothing ever will be. */
export class RequestNotAllowedError extends Error {
  override readonly name = "RequestNotAllowedError" as const;
  /** Nothing left. */
  readonly maybeExecuted = false as const;

  constructor(why: string) {
    super(`The request was not made: ${why}`);
  }
}

/** Says that a host refused a request for good: it did nothing, and would not the next time. */
export class RequestRefusedError extends Error {
  override readonly name = "RequestRefusedError" as const;
  readonly status: number;
  readonly maybeExecuted = false as const;

  constructor(target: string, status: number) {
    super(`${target} was refused with status ${status}, for good.`);
    this.status = status;
  }
}

/** Where a request that came to nothing ended, and what its host asks for. */
export interface RequestFailure {
  /** A socket's code, TIMEOUT, or the status. */
  readonly reason: string;
  /** The answer's; undefined when none came. */
  readonly status?: number;
  /** False only when the host surely did not act. */
  readonly maybeExecuted: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** Says that a host is ill, or out of reach, or does not know our credentials: the same request may succeed later. */
export class RequestFailedError extends Error {
  override readonly name = "RequestFailedError" as const;
  readonly reason: string;
  readonly status: number | undefined;
  readonly maybeExecuted: boolean;
  /** How long the host asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(target: string, { reason, status, maybeExecuted, retryAfterMs }: RequestFailure) {
    super(
      `${target} failed: ${reason}. ${maybeExecuted ? "It may have been carried out." : "It was not carried out."}`,
    );
    this.reason = reason;
    this.status = status;
    this.maybeExecuted = maybeExecuted;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Says that a host carried a request out and answered something else than was agreed. It is not asked again. */
export class AnswerNotUnderstoodError extends Error {
  override readonly name = "AnswerNotUnderstoodError" as const;
  readonly status: number;

  constructor(target: string, status: number, why: string) {
    super(`${target} was answered with status ${status}, so it was carried out, but the answer ${why}.`);
    this.status = status;
  }
}
