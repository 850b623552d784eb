import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/base/http/lambda.ts";
import { forRequest } from "../lib/base/process-log.ts";
import { answerQuestion } from "../lib/endpoints/questions/answer-question.ts";
import { buildQuestionServices } from "../lib/endpoints/questions/build-question-services.ts";
import { beforeMessage } from "./questions/before-message.ts";

/** POST /before-message/{appId}: the legacy engine asks before it stores a message. The sender waits. */
export async function handler(
  event: APIGatewayProxyEventV2,
  { awsRequestId }: Context,
): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(
    await answerQuestion(toHttpRequest(event), beforeMessage, forRequest(services, awsRequestId)),
  );
}

// Runs once per cold start.
const services = buildQuestionServices("before-message");
