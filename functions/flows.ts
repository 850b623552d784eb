import requestsFile from "../config/requests.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { createFlowRunner } from "../lib/flows/build-flow-runner.ts";
import { ownFlows } from "./own/flows.ts";

/** The durable function: runs and continues every flow (docs/flows.md). */
export const handler = createFlowRunner(ownFlows, checkedSettings(requestsFile));
