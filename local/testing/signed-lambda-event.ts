import { isValidDate } from "../../lib/base/realm.ts";
import { checkPlain, plainText } from "../../lib/chat/check-plain.ts";
import { newRequestId, writeHttpEvent } from "../cloud/gateway/http-event.ts";
import { findRoute } from "../cloud/gateway/route-table.ts";
import { checkSigned, type SignedTarget, writeSigned } from "./signed-request.ts";

/** API Gateway's event for a function, in payload format 2.0. */
export interface SignedLambdaEvent {
  version: string;
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  requestContext: {
    accountId: string;
    apiId: string;
    domainName: string;
    domainPrefix: string;
    http: { method: string; path: string; protocol: string; sourceIp: string; userAgent: string };
    requestId: string;
    routeKey: string;
    stage: string;
    time: string;
    timeEpoch: number;
  };
  body?: string;
  isBase64Encoded: boolean;
}

/** The options of the API Gateway event. */
export interface SignedLambdaOptions {
  /** The route of the call if the path matches it; else `$default`. Default: `POST /webhooks/{appId}`. */
  readonly route?: string;
  /** The time of the request. Default: now. */
  readonly at?: Date;
}

/**
 * Builds the call of `signedRequest` as a function behind API Gateway gets it.
 * @throws TypeError if `url` is not a URL, Error if the path matches no route
 * @example const result = await handler(signedLambdaEvent({ url, username, password },
 *  events.messageSent()));
 */
export function signedLambdaEvent(
  target: SignedTarget,
  body: object | string,
  options: SignedLambdaOptions = {},
): SignedLambdaEvent {
  checkSigned("signedLambdaEvent", target, body);
  checkPlain(
    "signedLambdaEvent",
    "options",
    { route: plainText, at: ["a valid Date", isValidDate] },
    options,
  );
  const { route: key = "POST /webhooks/{appId}", at = new Date() } = options;
  const { headers, body: text } = writeSigned(target, body);
  const call = { method: "POST", headers, body: Buffer.from(text), nowMs: at.getTime() };
  return writeLambdaEvent(new URL(target.url), call, [key, "$default"]);
}

interface Call {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly nowMs: number;
}

/** @throws Error if no route takes the method and path */
export function writeLambdaEvent(
  { pathname, search, host }: URL,
  { method, headers, body, nowMs }: Call,
  keys: readonly string[],
): SignedLambdaEvent {
  const path = decodeURIComponent(pathname);
  const routes = keys.map((key) => ({ key, functionKey: "function" }));
  const route = findRoute(routes, method, path);
  if (route === undefined) throw new Error(`No route takes ${method} ${path}: there is only ${keys.join()}.`);
  const request = {
    method,
    url: `${pathname}${search}`,
    httpVersion: "1.1",
    rawHeaders: Object.entries({ host, ...headers }).flat(),
    socket: { remoteAddress: "127.0.0.1" },
  };
  return writeHttpEvent({ request, requestId: newRequestId(), path, route, body, nowMs });
}
