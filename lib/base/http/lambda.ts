import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

export interface HttpRequest {
  /** Names in lower case; values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** The exact bytes. */
  readonly body: Buffer;
  /** Set if the gateway passed text without loss. */
  readonly text?: string | undefined;
  /** When the gateway received it, in milliseconds since 1970. */
  readonly arrivedAt?: number | undefined;
}

/** Always JSON. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * A gateway answers 503 then.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const longestMs = 30_000;

/** The time before a cold start, never in the future. Now if not known. */
export function arrivalOf({ arrivedAt }: Pick<HttpRequest, "arrivedAt">, nowMs: number): number {
  const passedMs = nowMs - Number(arrivedAt);
  return passedMs >= 1 && passedMs < nowMs ? nowMs - Math.min(passedMs, longestMs) : nowMs;
}

/** Reads payload format 2.0, with text or base64 by the content type. */
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
  return headers ?? {};
}

function copyInLowerCase(headers: HttpRequest["headers"]): HttpRequest["headers"] {
  const lowerCase: Record<string, string | undefined> = {};
  for (const name in headers) lowerCase[name.toLowerCase()] = headers[name];
  return lowerCase;
}
