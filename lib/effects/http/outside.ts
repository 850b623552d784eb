import type { RequestRules } from "./allowed-hosts.ts";

export interface OutsideRequest {
  readonly method: OutsideMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly wantsBody: boolean;
}

export type OutsideMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Undefined if not requested or not decodable. */
  readonly text: string | undefined;
}

/**
 * Sends once and returns any status. Follows no redirects.
 * @throws RequestFailedError without a response, RequestNotAllowedError if the address is not allowed, the
 * signal's reason
 */
export type SendOutside = (
  request: OutsideRequest,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
) => Promise<OutsideAnswer>;

/**
 * @param host with its port unless 443
 * @throws DestinationClosedError, EventEndedError, and what `send` throws
 */
export type WatchOutside = <T>(
  host: string,
  method: string,
  send: (limits: { readonly deadlineMs: number }) => Promise<T>,
) => Promise<T>;

export interface Outside {
  readonly rules: RequestRules;
  readonly send: SendOutside;
  readonly watch: WatchOutside;
}
