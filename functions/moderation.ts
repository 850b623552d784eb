import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { answerCall } from "../lib/synchronous/answer-call.ts";
import { buildSynchronousServices } from "../lib/synchronous/build-services.ts";
import { moderation } from "./decisions/moderation.ts";

/** POST /moderation/{appId}: the custom moderation API, asked by the moderation engine about one message. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(await answerCall(toHttpRequest(event), moderation, services));
}

// Runs once per cold start.
const services = buildSynchronousServices();
