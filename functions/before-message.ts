import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { forRequest } from "../lib/process-log.ts";
import { answerQuestion } from "../lib/questions/answer-question.ts";
import { buildQuestionServices } from "../lib/questions/build-question-services.ts";
import { beforeMessage } from "./questions/before-message.ts";

/** POST /before-message/{appId}: asked by the legacy engine before it stores a message. The sender waits. */
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
