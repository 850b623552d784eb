import { OwnError } from "../../base/own-error.ts";

// Messages contain only method and host: the rest may be a user's text or a secret.

/** Thrown before a request is sent, because its address is not allowed. */
export class RequestNotAllowedError extends OwnError {
  override readonly name = "RequestNotAllowedError" as const;
  readonly maybeExecuted = false as const;

  constructor(why: string) {
    super(`The request was not made: ${why}`);
  }

  /** @internal */
  override get logged(): string {
    return this.message.replace(/does not allow \S+\. /, "does not allow its host. ");
  }
}

/** The host refused permanently and did nothing. */
export class RequestRefusedError extends OwnError {
  override readonly name = "RequestRefusedError" as const;
  readonly status: number;
  readonly maybeExecuted = false as const;

  constructor(target: string, status: number) {
    super(`${target} was refused with status ${status}, permanently.`);
    this.status = status;
  }
}

export interface RequestFailure {
  readonly reason: string;
  readonly status?: number;
  /** False only if the host certainly did not act. */
  readonly maybeExecuted: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The host is unhealthy, unreachable, or rejects the credentials: the request may succeed later. */
export class RequestFailedError extends OwnError {
  override readonly name = "RequestFailedError" as const;
  readonly reason: string;
  readonly status: number | undefined;
  readonly maybeExecuted: boolean;
  /** What the host requests, in milliseconds. */
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

/** The host acted, but its response does not match the schema. Not repeated. */
export class AnswerNotUnderstoodError extends OwnError {
  override readonly name = "AnswerNotUnderstoodError" as const;
  readonly status: number;

  constructor(target: string, status: number, why: string) {
    super(`${target} was answered with status ${status}, so it was carried out, but the answer ${why}.`);
    this.status = status;
  }
}
