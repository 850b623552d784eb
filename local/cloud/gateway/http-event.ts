import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { localAccountId } from "../local-aws.ts";
import type { MatchedRoute } from "./route-table.ts";

/**
 * Writes a request as the event of payload format 2.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function writeHttpEvent(
  request: IncomingMessage,
  route: MatchedRoute,
  body: Buffer,
  nowMs: number,
): APIGatewayProxyEventV2 {
  const [rawPath = "/", rawQueryString = ""] = splitOnce(request.url ?? "/", "?");
  const { cookies, headers } = readHeaders(request);
  const isText = textTypes.test(headers["content-type"] ?? "");
  const query = readQuery(rawQueryString);
  const sourceIp = request.socket.remoteAddress ?? "127.0.0.1";
  const [host = ""] = (headers.host ?? "").split(":");
  return {
    version: "2.0",
    routeKey: route.key,
    rawPath,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: {
      ...headers,
      "x-forwarded-for": sourceIp,
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
    },
    ...(query && { queryStringParameters: query }),
    requestContext: {
      accountId: localAccountId,
      apiId: "local",
      domainName: host,
      domainPrefix: "local",
      http: {
        method: request.method ?? "GET",
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
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

/**
 * Bodies of these types are handed over as text, all others as base64.
 * UNVERIFIED: the page shows no list; function URLs, which share the format, take JSON and text/* for text.
 */
const textTypes = /^\s*(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))\s*(;|$))/i;

/** Names in lower case, several values of a name joined by a comma, cookies apart. */
function readHeaders({ rawHeaders }: IncomingMessage) {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    if (name === "cookie") cookies.push(...value.split(";").map((cookie) => cookie.trim()));
    else if (name !== "connection")
      headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  return { headers, cookies: cookies.length > 0 ? cookies : undefined };
}

function readQuery(raw: string): Record<string, string> | undefined {
  if (raw === "") return undefined;
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(raw)) {
    query[name] = query[name] === undefined ? value : `${query[name]},${value}`;
  }
  return query;
}

/** `12/Mar/2020:19:03:58 +0000` */
function writeTime(nowMs: number): string {
  const [, day, month, year, time] = new Date(nowMs).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
