import type { RequestRules } from "./allowed-hosts.ts";

/** A request to a host of somebody else's, ready to be sent. */
export interface OutsideRequest {
  readonly method: OutsideMethod;
  /** Checked: https, without user and password. */
  readonly url: URL;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** False: nothing but the status is asked for. */
  readonly wantsBody: boolean;
}

export type OutsideMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface OutsideAnswer {
  readonly status: number;
  /** Gives a header of the answer; null when it has none. */
  readonly headers: { get(name: string): string | null };
  /** Undefined where it was not asked for, or is nothing that can be read. */
  readonly text: string | undefined;
}

/**
 * Sends a request once and gives its answer, whatever its status. Redirects are not followed.
 * @throws RequestFailedError when no answer comes, RequestNotAllowedError for an address that is closed, the signal's reason
 */
export type SendOutside = (
  request: OutsideRequest,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
) => Promise<OutsideAnswer>;

/**
 * Stands before each request to a host: refuses it while the host is known to be ill, and sees what comes of it.
 * @param host with its port, where that is not 443
 * @throws DestinationClosedError, EventEndedError, and what `send` throws
 */
export type WatchOutside = <T>(
  host: string,
  method: string,
  send: (limits: { readonly deadlineMs: number }) => Promise<T>,
) => Promise<T>;

/** The way to other hosts, for the effects of one attempt. */
export interface Outside {
  readonly rules: RequestRules;
  readonly send: SendOutside;
  readonly watch: WatchOutside;
}
