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
 * Builds the same call as `signedRequest`, in the form that a function behind API Gateway gets.
 * @throws TypeError if `url` is not a URL, Error if the path matches no route
 * @example const result = await handler(signedLambdaEvent({ url, username, password },
 *   events.messageSent()));
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
  const { pathname, search, host } = new URL(target.url);
  const path = decodeURIComponent(pathname);
  const { headers, body: text } = writeSigned(target, body);
  const routes = [key, "$default"].map((one) => ({ key: one, functionKey: "function" }));
  const route = findRoute(routes, "POST", path);
  if (route === undefined) throw new Error(`No route takes ${path}.`);
  return writeHttpEvent({
    request: {
      method: "POST",
      url: `${pathname}${search}`,
      httpVersion: "1.1",
      rawHeaders: Object.entries({ Host: host, ...headers }).flat(),
      socket: { remoteAddress: "127.0.0.1" },
    },
    requestId: newRequestId(),
    path,
    route,
    body: Buffer.from(text),
    nowMs: at.getTime(),
  });
}
