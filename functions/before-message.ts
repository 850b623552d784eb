import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { answerQuestion } from "../lib/questions/answer-question.ts";
import { buildQuestionServices } from "../lib/questions/build-question-services.ts";
import { beforeMessage } from "./questions/before-message.ts";

/** POST /before-message/{appId}: asked by the legacy engine before it stores a message. The sender waits. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(await answerQuestion(toHttpRequest(event), beforeMessage, services));
}

// Runs once per cold start.
const services = buildQuestionServices();
