import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** An HTTP request as the rest of the library sees it: no trace of API Gateway. */
export interface HttpRequest {
  /** Names in lower case; several values of one name joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** The body's bytes exactly as the sender wrote them. */
  readonly body: Buffer;
  /** The same as text, where the gateway handed over text and nothing is lost in it. */
  readonly text?: string | undefined;
  /** When the gateway got it, in milliseconds since 1970; undefined where nobody says. */
  readonly arrivedAt?: number | undefined;
}

/** Every answer is JSON; see lib/base/http/respond.ts. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Turns an HTTP API event (payload format 2.0) into a plain request.
 * The gateway decides by content type whether it hands over text or base64; both become the same bytes.
 */
export function toHttpRequest(event: APIGatewayProxyEventV2): HttpRequest {
  const { body, isBase64Encoded } = event;
  return {
    headers: lowerCaseNames(event.headers),
    pathParameters: event.pathParameters ?? {},
    body: Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8"),
    text: !isBase64Encoded && body?.isWellFormed() ? body : undefined,
    arrivedAt: event.requestContext?.timeEpoch,
  };
}

/** Turns a plain response into what the gateway expects from a function. */
export function toLambdaResult(response: HttpResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: response.status,
    headers: { "content-type": "application/json" },
    body: response.body,
  };
}

function lowerCaseNames(headers: APIGatewayProxyEventV2["headers"] | undefined): HttpRequest["headers"] {
  for (const name in headers) if (name !== name.toLowerCase()) return copyInLowerCase(headers);
  return headers ?? {}; // the gateway writes them so
}

function copyInLowerCase(headers: HttpRequest["headers"]): HttpRequest["headers"] {
  const lowerCase: Record<string, string | undefined> = {};
  for (const name in headers) lowerCase[name.toLowerCase()] = headers[name];
  return lowerCase;
}
