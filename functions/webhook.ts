import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { createAwsCaller } from "../lib/aws/aws-call.ts";
import { readAppIds, readAwsEnvironment, readSetting } from "../lib/config.ts";
import { createCountMetric } from "../lib/count-metric.ts";
import { createEnqueue } from "../lib/event-queue/enqueue.ts";
import { createQuarantine } from "../lib/event-queue/quarantine.ts";
import { toHttpRequest, toLambdaResult } from "../lib/http/lambda.ts";
import { createLineLog } from "../lib/log.ts";
import { type ReceiverServices, receiveWebhook } from "../lib/webhook/receive-webhook.ts";
import { createServedApps, startFetchingSecrets } from "../lib/webhook/served-apps.ts";

/** POST /webhooks/{appId}: takes the platform's asynchronous webhooks. Runs once per delivery. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return toLambdaResult(await receiveWebhook(toHttpRequest(event), services));
}

// Runs once per cold start.
const services = buildServices();
setImmediate(startFetchingSecrets, services.apps); // while Lambda gets the first delivery ready

function buildServices(): ReceiverServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  return {
    apps: createServedApps({ callAws, secretPrefix, appIds: readAppIds(), now }),
    enqueue: createEnqueue(callAws, readSetting("EVENTS_QUEUE_URL")),
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    log: createLineLog(console.log),
    count: createCountMetric(console.log, now),
    now,
  };
}
