import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import * as z from "zod/mini";
import { fromEdge } from "../../base/http/from-edge.ts";
import { arrivalOf } from "../../base/http/lambda.ts";
import { toWholeRequest, toWholeResult, type WholeRequest } from "../../base/http/whole-request.ts";
import { lazy } from "../../base/lazy.ts";
import { forRequest } from "../../base/log.ts";
import { aFunctionGiven, anObjectWith, checkCall } from "../../chat/check-call.ts";
import { answerOwnRequest } from "./answer-own-request.ts";
import { type OwnServices, onServices } from "./build-own-services.ts";
import type { Auth, BodyOf, CallerOf, RequestDefinition, RequestHandler } from "./request-definition.ts";

/** A Lambda function behind an HTTP API. */
export interface HttpFunction {
  /** Answers a request; never throws. Whether a request may be repeated depends on the handler. */
  (
    event: APIGatewayProxyEventV2,
    context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
  ): Promise<APIGatewayProxyStructuredResultV2>;
  /** Returns the same function on other services, for tests. Never throws. */
  on(services: OwnServices): HttpFunction;
}

/**
 * Limit of an HTTP API. @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const gatewayMs = 30_000;
const marginMs = 500;

/**
 * Creates a deployed function from a request handler: finds the app, identifies the caller, checks the body,
 * and answers JSON in time, with errors in the common form. Needs a route in serverless.yml
 * (docs/functions.md). Never throws: errors of the handler are logged and answered 500 or 503. Callers may
 * retry: the handler must tolerate that.
 * @throws InvalidInputError if `auth` or the handler is missing, or a field is wrong or unknown
 * @example export const handler = onRequest({ auth: basic({ username: "partnerUsername", password:
 * "partnerPassword" }), body }, ({ body, chat }) => …)
 */
export function onRequest<
  const Access extends Auth<unknown> | "none",
  Body extends z.ZodMiniType | undefined = undefined,
>(
  definition: RequestDefinition<Access, Body>,
  handler: RequestHandler<BodyOf<Body>, CallerOf<Access>>,
): HttpFunction;
export function onRequest(
  definition: RequestDefinition,
  handler: RequestHandler<unknown, unknown>,
): HttpFunction {
  checkCall("onRequest", "definition", definitionSchema(), definition);
  checkCall("onRequest", "handler", aFunctionGiven(), handler);
  return onServices((services) =>
    fromEdge(async (event, context: Parameters<HttpFunction>[1]) => {
      const own = forRequest(services(), context.awsRequestId);
      const request = toWholeRequest(event);
      const leftMs =
        Math.min(context.getRemainingTimeInMillis(), gatewayLeftMs(request, own.now())) - marginMs;
      return toWholeResult(await answerOwnRequest(request, definition, handler, own, Math.max(0, leftMs)));
    }),
  );
}

/** Counts from the arrival, before a cold start. A request that is older than the limit was replayed. */
function gatewayLeftMs(request: WholeRequest, nowMs: number) {
  return gatewayMs - (nowMs - arrivalOf(request, nowMs)) || gatewayMs;
}

const definitionSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    auth: z.custom<unknown>(
      (value) => value === "none" || typeof Reflect.get(Object(value), "identify") === "function",
      'a result of basic or jwt, or "none", which accepts every caller',
    ),
    body: z.optional(anObjectWith("a schema of zod", "safeParse")),
    mostBodyBytes: z.optional(z.int("a whole number of bytes").check(z.gte(0))),
    origins: z.optional(aFunctionGiven()),
    perSource: z.optional(aFunctionGiven()),
  }),
);
