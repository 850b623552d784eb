import type { RequestRules } from "./allowed-hosts.ts";

/** A request to a host other than the platform, ready to be sent. */
export interface OutsideRequest {
  readonly method: OutsideMethod;
  /** Checked: https, without user and password. */
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** False if only the status is needed. */
  readonly wantsBody: boolean;
}

export type OutsideMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface OutsideAnswer {
  readonly status: number;
  /** Returns a response header; null if absent. */
  readonly headers: { get(name: string): string | null };
  /** Undefined if it was not requested or cannot be decoded. */
  readonly text: string | undefined;
}

/**
 * Sends a request once and returns its response, whatever its status. Does not follow redirects.
 * @throws RequestFailedError if there is no response, RequestNotAllowedError if the address is not allowed,
 * the signal's reason
 */
export type SendOutside = (
  request: OutsideRequest,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
) => Promise<OutsideAnswer>;

/**
 * Guards each request to a host: rejects it while the host is known to be unhealthy, and counts its result.
 * @param host with its port unless that is 443
 * @throws DestinationClosedError, EventEndedError, and what `send` throws
 */
export type WatchOutside = <T>(
  host: string,
  method: string,
  send: (limits: { readonly deadlineMs: number }) => Promise<T>,
) => Promise<T>;

/** Access to other hosts for the effects of one attempt. */
export interface Outside {
  readonly rules: RequestRules;
  readonly send: SendOutside;
  readonly watch: WatchOutside;
}
