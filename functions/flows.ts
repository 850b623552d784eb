import requestsFile from "../config/requests.yml";
import { settingsFrom } from "../lib/chat/settings-from.ts";
import { requestRulesSchema } from "../lib/effects/http/allowed-hosts.ts";
import { buildFlowRunner } from "../lib/flows/build-flow-runner.ts";
import { ownFlows } from "./own/flows.ts";

/** The durable function: runs every flow, and continues it after each wait (docs/flows.md). */
export const handler = buildFlowRunner(ownFlows, settingsFrom(requestsFile, requestRulesSchema));
