import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { ZodMiniType } from "zod/mini";
import { toWholeRequest, toWholeResult } from "../http/whole-request.ts";
import { lazy } from "../lazy.ts";
import { forRequest } from "../process-log.ts";
import { answerOwnRequest } from "./answer-own-request.ts";
import type { Auth } from "./auth.ts";
import { buildOwnServices, type OwnServices } from "./build-own-services.ts";
import type { BodyOf, CallerOf, RequestDefinition, RequestHandler } from "./request-definition.ts";

/** A function of Lambda behind an HTTP API. */
export interface HttpFunction {
  (
    event: APIGatewayProxyEventV2,
    context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
  ): Promise<APIGatewayProxyStructuredResultV2>;
  /** Gives the same function on other services than the deployed ones: for tests. */
  on(services: OwnServices): HttpFunction;
}

/** An HTTP API gives up after 30 s. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const gatewayMs = 30_000;
/** What is left for the answer when time is nearly up, in milliseconds. */
const marginMs = 500;

/**
 * Makes a deployed function out of a handler of requests: finds the app, lets in whom `auth` knows, checks the body, and
 * answers JSON in time, errors in the house form. Name it in serverless.yml with a route; docs/add-a-function.md shows how.
 * @example export const handler = onRequest({ auth: basic({ username: "partnerUsername", password: "partnerPassword" }), body }, ({ body, chat }) => …)
 */
export function onRequest<
  const Access extends Auth<unknown> | "none",
  Body extends ZodMiniType | undefined = undefined,
>(
  definition: RequestDefinition<Access, Body>,
  handler: RequestHandler<BodyOf<Body>, CallerOf<Access>>,
): HttpFunction;
export function onRequest(
  definition: RequestDefinition,
  handler: RequestHandler<unknown, unknown>,
): HttpFunction {
  const standingOn = (services: () => OwnServices): HttpFunction =>
    Object.assign<Invoked, Pick<HttpFunction, "on">>(
      async (event, context) => {
        const limitMs = Math.min(context.getRemainingTimeInMillis(), gatewayMs) - marginMs;
        const own = forRequest(services(), context.awsRequestId);
        return toWholeResult(
          await answerOwnRequest(toWholeRequest(event), definition, handler, own, limitMs),
        );
      },
      { on: (other) => standingOn(() => other) },
    );
  return standingOn(lazy(buildOwnServices));
}

type Invoked = (...args: Parameters<HttpFunction>) => ReturnType<HttpFunction>;
