import requestsFile from "../config/requests.yml";
import { buildFlowRunner } from "../lib/flows/build-flow-runner.ts";
import { requestRulesSchema } from "../lib/http-effect/allowed-hosts.ts";
import { settingsFrom } from "../lib/settings/settings-from.ts";
import { ownFlows } from "./own/flows.ts";

/** The durable function: runs every flow, and goes on with it after each wait (docs/flows.md). */
export const handler = buildFlowRunner(ownFlows, settingsFrom(requestsFile, requestRulesSchema));
