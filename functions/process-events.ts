import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import canaryFile from "../config/canary.yml";
import requestsFile from "../config/requests.yml";
import { canarySettingsSchema } from "../lib/canary/canary-settings.ts";
import { requestRulesSchema } from "../lib/http-effect/allowed-hosts.ts";
import { settingsFrom } from "../lib/settings/settings-from.ts";
import { buildConsumer } from "../lib/triggers/build-consumer.ts";
import { joinTables } from "../lib/triggers/join-tables.ts";
import { ownFlows } from "./own/flows.ts";
import { ownTriggers } from "./own/triggers.ts";
import { shippedTriggers } from "./triggers/index.ts";

/** The consumer of the events, calls and parked lanes queues. A lane in trouble is parked; the others go on. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  return consume(Records, context.getRemainingTimeInMillis(), context.awsRequestId);
}

// Runs once per cold start.
const consume = buildConsumer(
  joinTables(ownTriggers, shippedTriggers),
  settingsFrom(requestsFile, requestRulesSchema),
  ownFlows,
  settingsFrom(canaryFile, canarySettingsSchema),
);
