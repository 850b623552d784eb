import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { readPlainly } from "../../chat/check-plain.ts";
import { arrivals } from "./arrivals.ts";
import { checkAnswer } from "./check-answer.ts";
import type { WebhookReceiver } from "./create-webhook-receiver.ts";

/**
 * Event of an HTTP API or a function URL, payload format 2.0: the fields that are read.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export interface LambdaHttpEvent {
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: {
    readonly http: { readonly method: string };
    /** When the request arrived, in milliseconds since 1970. */
    readonly timeEpoch?: number | undefined;
  };
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean;
}

/** Response for API Gateway and function URLs. */
export interface LambdaHttpResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers an event. Rejects with a TypeError for another format. */
export type LambdaHandler = (event: LambdaHttpEvent) => Promise<LambdaHttpResult>;

/**
 * Converts a receiver to the handler of a Lambda function behind an HTTP API or a function URL; it throws
 * TypeError for another format, such as a REST API's.
 * @throws InvalidInputError if it is not a function
 * @example export const handler = toLambdaHandler(receive);
 */
export function toLambdaHandler(receive: WebhookReceiver): LambdaHandler {
  checkCall("toLambdaHandler", "receive", aFunctionGiven(), receive);
  return async (event) => {
    const call = "the handler of toLambdaHandler";
    if (!readPlainly(call, "event", () => isOfFormat(event ?? {}))) throw new TypeError(otherFormat);
    const response = await receive(readPlainly(call, "event", () => toRequest(event)));
    checkAnswer("toLambdaHandler", response);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
}

/** False for a REST API (format 1.0) or a load balancer. */
function isOfFormat({ rawPath, requestContext, body = "" }: Partial<LambdaHttpEvent>): boolean {
  return [rawPath, requestContext?.http?.method, body ?? ""].every((text) => typeof text === "string");
}

const otherFormat =
  "The event is not one of an HTTP API or a function URL in payload format 2.0: `rawPath` or `requestContext.http` is missing.";

function toRequest({ rawPath, headers: given, requestContext, body, isBase64Encoded }: LambdaHttpEvent) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given ?? {})) if (value !== undefined) headers.set(name, value);
  // The gateway read the whole body, and may have replaced invalid bytes.
  headers.delete("content-length");
  const { method } = requestContext.http;
  // Some gateways decode the path.
  const place = `https://localhost${rawPath.replace(/[?#]/g, encodeURIComponent)}`;
  // Other methods may be invalid for a Request.
  if (method !== "POST") return new Request(place, { headers });
  const bytes = new Uint8Array(Buffer.from(body ?? "", isBase64Encoded === true ? "base64" : "utf8"));
  const request = new Request(place, { method, headers, body: bytes });
  const { timeEpoch } = requestContext;
  if (timeEpoch !== undefined) arrivals.set(request, timeEpoch);
  return request;
}
