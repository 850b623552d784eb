import type { Context } from "aws-lambda";
import { fromEdge } from "../lib/base/http/from-edge.ts";
import { toHttpRequest, toLambdaResult } from "../lib/base/http/lambda.ts";
import { buildReceiverServices } from "../lib/receive/build-receiver-services.ts";
import { receiveWebhook } from "../lib/receive/receive-webhook.ts";

/** POST /webhooks/{appId}: receives the platform's asynchronous webhooks. */
export const handler = fromEdge(async (event, { awsRequestId }: Context) =>
  toLambdaResult(await receiveWebhook(toHttpRequest(event), services, awsRequestId)),
);

const services = buildReceiverServices();
