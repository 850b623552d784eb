import { causesOf } from "../../base/causes.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { isFinalCode } from "../../chat/final-codes.ts";
import { RequestFailedError, RequestRefusedError } from "../http/outside-errors.ts";

/** Thrown instead of a request to a destination that is known to be down; nothing was sent. */
export class DestinationClosedError extends Error {
  override readonly name = "DestinationClosedError" as const;
  readonly destination: string;
  /** How long until somebody may try again, in milliseconds. */
  readonly retryAfterMs: number;
  /** Nothing left. */
  readonly maybeExecuted = false as const;

  constructor(appId: string, destination: string, retryAfterMs: number) {
    super(
      `Nothing was sent for app ${appId}: ${destination} failed for several lanes in a row, and one request in 30 s finds out whether it is well again.`,
    );
    this.destination = destination;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Names where a request goes to. Reading may work while writing does not, so they are two. */
export function destinationOf(host: string, method: string): string {
  return `${host} ${method === "GET" ? "read" : "write"}`;
}

/** Which destination an error came from: the error itself says only what failed. */
const blamed = new WeakMap<Error, string>();

/** Remembers which destination failed with an error. */
export function blame(error: Error, destination: string): void {
  blamed.set(error, destination);
}

/** Gives the destination that failed with an error, or with one of its causes. */
export function blamedFor(error: unknown): string | undefined {
  for (const one of causesOf(error)) {
    const destination = blamed.get(one);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/**
 * Tells whether the platform itself said no, for good: in its own envelope, with a code that it documents, and not for
 * its own trouble, whether with a 4xx or inside a 2xx; or another host, whose refusals have no envelope. Refused credentials, a scope, a plan, a proxy's page: all these may be mended by somebody else.
 */
export function isFinalRefusal(error: unknown): boolean {
  if (error instanceof RequestRefusedError) return true;
  if (!(error instanceof ChatApiError)) return false;
  const isRefusal = error.status < 300 || (error.status >= 400 && error.status < 500);
  return isRefusal && ![401, 408, 429].includes(error.status) && isFinalCode(error.code);
}

/** Tells whether an error says that its destination is ill, or does not know us. */
export function isIllness(error: unknown): error is ChatApiError | ChatUnreachableError | RequestFailedError {
  if (error instanceof ChatUnreachableError || error instanceof RequestFailedError) return true;
  return error instanceof ChatApiError && !isFinalRefusal(error);
}
