import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** An HTTP request, independent of API Gateway. */
export interface HttpRequest {
  /** Names in lower case. Several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** The exact bytes of the body. */
  readonly body: Buffer;
  /** The body as text, if the gateway passed text without loss. */
  readonly text?: string | undefined;
  /** When the gateway received it, in milliseconds since 1970, if known. */
  readonly arrivedAt?: number | undefined;
}

/** Every answer is JSON; see lib/base/http/respond.ts. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Converts an HTTP API event (payload format 2.0) to a plain request. Depending on the content type, the
 * gateway passes text or base64; both yield the same bytes.
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

export function toLambdaResult(response: HttpResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: response.status,
    headers: { "content-type": "application/json" },
    body: response.body,
  };
}

function lowerCaseNames(headers: APIGatewayProxyEventV2["headers"] | undefined): HttpRequest["headers"] {
  for (const name in headers) if (name !== name.toLowerCase()) return copyInLowerCase(headers);
  return headers ?? {}; // the gateway writes them like this
}

function copyInLowerCase(headers: HttpRequest["headers"]): HttpRequest["headers"] {
  const lowerCase: Record<string, string | undefined> = {};
  for (const name in headers) lowerCase[name.toLowerCase()] = headers[name];
  return lowerCase;
}
