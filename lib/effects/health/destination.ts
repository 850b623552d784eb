import { causesOf } from "../../base/causes.ts";
import { OwnError } from "../../base/own-error.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { isFinalCode } from "../../chat/final-codes.ts";
import { RequestFailedError, RequestRefusedError } from "../http/outside-errors.ts";

export class DestinationClosedError extends OwnError {
  override readonly name = "DestinationClosedError" as const;
  readonly destination: string;
  readonly retryAfterMs: number;
  readonly maybeExecuted = false as const;

  constructor(appId: string, destination: string, retryAfterMs: number) {
    super(
      `Nothing was sent for app ${appId}: ${destination} failed for several lanes in a row, and one request in 30 s finds out whether it is healthy again.`,
    );
    this.destination = destination;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns one name for reads and one for writes: reads may work while writes fail. */
export function destinationOf(host: string, method: string): string {
  return `${host} ${method === "GET" ? "read" : "write"}`;
}

const blamed = new WeakMap<Error, string>();

export function blame(error: Error, destination: string): void {
  blamed.set(error, destination);
}

export function blamedFor(error: unknown): string | undefined {
  for (const one of causesOf(error)) {
    const destination = blamed.get(one);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/**
 * Returns true for the platform's envelope with a documented code that is no outage (4xx, or inside a 2xx),
 * and for another host's refusal. Returns false for what an operator may fix: refused credentials, a scope, a
 * plan, a proxy's page.
 */
export function isFinalRefusal(error: unknown): boolean {
  if (error instanceof RequestRefusedError) return true;
  if (!(error instanceof ChatApiError)) return false;
  const isRefusal = error.status < 300 || (error.status >= 400 && error.status < 500);
  return isRefusal && ![401, 408, 429].includes(error.status) && isFinalCode(error.code);
}

export function isUserLimit(error: unknown): error is ChatApiError {
  return error instanceof ChatApiError && error.isUserLimit;
}

export function isOutage(error: unknown): error is ChatApiError | ChatUnreachableError | RequestFailedError {
  if (error instanceof ChatUnreachableError || error instanceof RequestFailedError) return true;
  return error instanceof ChatApiError && !isFinalRefusal(error) && !isUserLimit(error);
}
