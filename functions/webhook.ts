import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { toHttpRequest, toLambdaResult } from "../lib/base/http/lambda.ts";
import { buildReceiverServices } from "../lib/receive/build-receiver-services.ts";
import { receiveWebhook } from "../lib/receive/receive-webhook.ts";

/** POST /webhooks/{appId}: receives the platform's asynchronous webhooks. */
export async function handler(
  event: APIGatewayProxyEventV2,
  { awsRequestId }: Context,
): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(await receiveWebhook(toHttpRequest(event), services, awsRequestId));
}

const services = buildReceiverServices();
