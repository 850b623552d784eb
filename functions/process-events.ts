import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import canaryFile from "../config/canary.yml";
import requestsFile from "../config/requests.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { consume, createConsumer } from "../lib/handle/build-consumer.ts";
import { joinTables } from "../lib/handle/enabled-triggers.ts";
import { ownFlows } from "./own/flows.ts";
import { ownTriggers } from "./own/triggers.ts";
import { shippedTriggers } from "./triggers/index.ts";

/** Consumes the events, calls and parked lanes queues. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  return consume(consumer, Records, context.getRemainingTimeInMillis(), context.awsRequestId);
}

const consumer = createConsumer(
  joinTables(ownTriggers, shippedTriggers),
  checkedSettings(requestsFile),
  ownFlows,
  checkedSettings(canaryFile),
);
