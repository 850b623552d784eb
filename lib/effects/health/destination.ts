import { causesOf } from "../../base/causes.ts";
import { OwnError } from "../../base/own-error.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { isFinalCode } from "../../chat/final-codes.ts";
import { RequestFailedError, RequestRefusedError } from "../http/outside-errors.ts";

/** Thrown instead of sending a request to a destination that is known to be down. Nothing was sent. */
export class DestinationClosedError extends OwnError {
  override readonly name = "DestinationClosedError" as const;
  readonly destination: string;
  /** How long to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number;
  /** Nothing was sent. */
  readonly maybeExecuted = false as const;

  constructor(appId: string, destination: string, retryAfterMs: number) {
    super(
      `Nothing was sent for app ${appId}: ${destination} failed for several lanes in a row, and one request in 30 s finds out whether it is well again.`,
    );
    this.destination = destination;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Names a request's destination. Reads and writes are two destinations, because reads may work while writes
 * fail.
 */
export function destinationOf(host: string, method: string): string {
  return `${host} ${method === "GET" ? "read" : "write"}`;
}

/** The destination of each error, which the error itself does not hold. */
const blamed = new WeakMap<Error, string>();

export function blame(error: Error, destination: string): void {
  blamed.set(error, destination);
}

/** Returns the destination that failed with an error or with one of its causes. */
export function blamedFor(error: unknown): string | undefined {
  for (const one of causesOf(error)) {
    const destination = blamed.get(one);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/**
 * Returns whether the refusal is final: the platform's own envelope with a documented code that is not an
 * outage (with a 4xx or inside a 2xx), or another host's refusal, which has no envelope. Refused credentials,
 * a scope, a plan or a proxy's page are not final: an operator may fix them.
 */
export function isFinalRefusal(error: unknown): boolean {
  if (error instanceof RequestRefusedError) return true;
  if (!(error instanceof ChatApiError)) return false;
  const isRefusal = error.status < 300 || (error.status >= 400 && error.status < 500);
  return isRefusal && ![401, 408, 429].includes(error.status) && isFinalCode(error.code);
}

/** Returns whether an error means that its destination is unhealthy or rejects our credentials. */
export function isOutage(error: unknown): error is ChatApiError | ChatUnreachableError | RequestFailedError {
  if (error instanceof ChatUnreachableError || error instanceof RequestFailedError) return true;
  return error instanceof ChatApiError && !isFinalRefusal(error);
}
