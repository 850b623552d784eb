import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { localAccountId } from "../local-aws.ts";
import type { MatchedRoute } from "./route-table.ts";

export interface GatewayRequest {
  readonly request: Pick<IncomingMessage, "method" | "url" | "httpVersion" | "rawHeaders"> & {
    readonly socket: Pick<IncomingMessage["socket"], "remoteAddress">;
  };
  readonly requestId: string;
  readonly path: string;
  readonly route: MatchedRoute;
  readonly body: Buffer;
  readonly nowMs: number;
}

export function writeHttpEvent({
  request,
  requestId,
  path,
  route,
  body,
  nowMs,
}: GatewayRequest): APIGatewayProxyEventV2 {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  const rawQueryString = mark < 0 ? "" : url.slice(mark + 1);
  const sourceIp = request.socket.remoteAddress ?? "127.0.0.1";
  const { cookies, headers } = readHeaders(request, { sourceIp, bodyBytes: body.byteLength, nowMs });
  const query = readQuery(rawQueryString);
  const isText = isTextBody(headers);
  return {
    version: "2.0",
    routeKey: route.key,
    rawPath: path,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query && { queryStringParameters: query }),
    requestContext: {
      accountId: localAccountId,
      apiId: "local",
      domainName: readDomainName(headers.host),
      domainPrefix: "local",
      http: {
        method: request.method ?? "GET",
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId,
      routeKey: route.key,
      stage: "$default",
      time: writeTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: { ...route.pathParameters } }),
    ...(body.byteLength > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: body.byteLength > 0 && !isText,
  };
}

/** As live: 16 base64 characters, such as `ATfSmjLgPHcESJw=`. */
export function newRequestId(): string {
  return randomBytes(11).toString("base64");
}

/**
 * Other bodies, and those without a type, are base64. UNVERIFIED by AWS's pages; measured live.
 * @see https://github.com/ministackorg/ministack/pull/766 read 2026-11-22
 */
const textTypes = /^\s*(text\/|application\/(json|javascript|xml)\s*(;|$))/i;

/** UNVERIFIED: the pages do not mention encoded bodies. A compressed body is not text. */
function isTextBody(headers: Readonly<Record<string, string>>) {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  return (encoding === "identity" || encoding === "") && textTypes.test(headers["content-type"] ?? "");
}

/** UNVERIFIED: not forwarded, because the captures have none of them. */
const connectionHeaders = new Set(
  "connection expect keep-alive proxy-connection te trailer transfer-encoding upgrade".split(" "),
);

/**
 * Returns headers by lower-case name, values joined by a comma, and cookies. UNVERIFIED: a client's
 * `x-forwarded-for` comes before its own address.
 */
function readHeaders(
  { rawHeaders }: Pick<IncomingMessage, "rawHeaders">,
  facts: { sourceIp: string; bodyBytes: number; nowMs: number },
) {
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    if (name === "cookie") cookies.push(...readCookies(value));
    else if (!connectionHeaders.has(name)) addHeader(headers, name, value);
  }
  // Chunked bodies reach the function whole, with their length.
  if (facts.bodyBytes > 0) headers.set("content-length", String(facts.bodyBytes));
  addHeader(headers, "x-forwarded-for", facts.sourceIp);
  headers.set("x-forwarded-port", "443");
  headers.set("x-forwarded-proto", "https");
  if (!headers.has("x-amzn-trace-id")) headers.set("x-amzn-trace-id", newTraceId(facts.nowMs));
  // A map accepts a header named `__proto__`.
  return { headers: Object.fromEntries(headers), cookies };
}

function addHeader(headers: Map<string, string>, name: string, value: string) {
  const before = headers.get(name);
  headers.set(name, before === undefined ? value : `${before},${value}`);
}

function readCookies(value: string): string[] {
  return value
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== "");
}

/** @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader */
function newTraceId(nowMs: number) {
  const seconds = Math.floor(nowMs / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString("hex")}`;
}

/** Reads a query: `+` is a space (captured live); values are joined by a comma. */
function readQuery(raw: string): Record<string, string> | undefined {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(raw)) addHeader(query, name, value);
  return query.size === 0 ? undefined : Object.fromEntries(query);
}

function readDomainName(host = "") {
  return host.replace(/:\d*$/, "");
}

/** `12/Mar/2020:19:03:58 +0000` */
function writeTime(nowMs: number) {
  const [, day, month, year, time] = new Date(nowMs).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
