import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { answerCall } from "../lib/synchronous/answer-call.ts";
import { buildSynchronousServices } from "../lib/synchronous/build-services.ts";
import { beforeMessage } from "./decisions/before-message.ts";

/** POST /before-message/{appId}: asked by the legacy engine before it stores a message. The sender waits. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(await answerCall(toHttpRequest(event), beforeMessage, services));
}

// Runs once per cold start.
const services = buildSynchronousServices();
