import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { forRequest } from "../lib/process-log.ts";
import { answerQuestion } from "../lib/questions/answer-question.ts";
import { buildQuestionServices } from "../lib/questions/build-question-services.ts";
import { moderation } from "./questions/moderation.ts";

/** POST /moderation/{appId}: the custom moderation API, asked by the moderation engine about one message. */
export async function handler(
  event: APIGatewayProxyEventV2,
  { awsRequestId }: Context,
): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(
    await answerQuestion(toHttpRequest(event), moderation, forRequest(services, awsRequestId)),
  );
}

// Runs once per cold start.
const services = buildQuestionServices("moderation");
