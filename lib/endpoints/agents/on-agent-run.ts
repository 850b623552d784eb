import type { Writable } from "node:stream";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { toWholeRequest } from "../../base/http/whole-request.ts";
import { lazy } from "../../base/lazy.ts";
import { forRequest } from "../../base/log.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { buildOwnServices, type OwnServices } from "../own/build-own-services.ts";
import { type AgentHandler, answerAgentRun, type RunResponse } from "./answer-agent-run.ts";
import type { Write } from "./run-events.ts";

type Invocation = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

/** A Lambda function behind a function URL that streams. */
export interface AgentFunction {
  /** Never throws. */
  (event: APIGatewayProxyEventV2, response: awslambda.HttpResponseStream, context: Invocation): Promise<void>;
  /** Returns a function on other services that answers whole, for tests. Never throws. */
  on(
    services: OwnServices,
  ): (event: APIGatewayProxyEventV2, context: Invocation) => Promise<APIGatewayProxyStructuredResultV2>;
}

const marginMs = 1_000;

/**
 * Creates a deployed function from an agent's handler: an AG-UI endpoint that the platform calls, with
 * credentials of the app's secret (docs/functions.md#ai-agents). Needs
 * `url: { invokeMode: RESPONSE_STREAM }` in serverless.yml; the path is the app's id, or `/` for the only
 * app. If the handler fails, or takes longer than the function's `timeout` less a second, the stream ends
 * with an error event. A lost run may be asked again.
 * @throws InvalidInputError if the handler is missing
 * @example export const handler = onAgentRun(async (run) => { await run.say(`You said: ${run.text}`); })
 */
export function onAgentRun(handler: AgentHandler): AgentFunction {
  checkCall("onAgentRun", "handler", aFunctionGiven(), handler);
  const answerOn =
    (services: () => OwnServices) =>
    (event: APIGatewayProxyEventV2, context: Invocation): Promise<RunResponse> => {
      const leftMs = Math.max(0, context.getRemainingTimeInMillis() - marginMs);
      const own = forRequest(services(), context.awsRequestId);
      return answerAgentRun(requestIn(event), handler, own, leftMs);
    };
  const answer = answerOn(lazy(buildOwnServices));
  const invoke = async (...[event, raw, context]: Parameters<AgentFunction>) => {
    const { status, headers, body } = await answer(event, context);
    const response = awslambda.HttpResponseStream.from(raw, { statusCode: status, headers });
    if (typeof body === "string") response.write(body);
    else await body(writingTo(response));
    response.end();
  };
  // Elsewhere it does not exist, or is the AWS SDK's, which streams nothing.
  if (typeof awslambda !== "undefined" && "streamifyResponse" in awslambda)
    awslambda.streamifyResponse(invoke);
  return Object.assign(invoke, {
    on: (services: OwnServices) => {
      const answer = answerOn(() => services);
      return async (event: APIGatewayProxyEventV2, context: Invocation) => {
        const { status: statusCode, headers, body } = await answer(event, context);
        return { statusCode, headers, body: typeof body === "string" ? body : await collect(body) };
      };
    },
  });
}

/** The path is the app's id. */
function requestIn(event: APIGatewayProxyEventV2) {
  const [, appId = ""] = event.rawPath.split("/");
  return { ...toWholeRequest(event), pathParameters: appId === "" ? {} : { appId } };
}

async function collect(body: (write: Write) => Promise<void>) {
  const pieces: string[] = [];
  await body(async (piece) => void pieces.push(piece));
  return pieces.join("");
}

/** Waiting writes share one listener. */
export function writingTo(response: Pick<Writable, "write" | "once">): Write {
  let drained: Promise<unknown> | undefined;
  return async (text) => {
    if (response.write(text)) return;
    drained ??= new Promise((resolve) => response.once("drain", resolve)).then(() => {
      drained = undefined;
    });
    await drained;
  };
}
