import { isRecord } from "../../../lib/base/json.ts";
import type { createFlowRunner } from "../../../lib/flows/build-flow-runner.ts";

/**
 * Loads what runs flows, and the SDK of durable functions with it: only who plays flows needs that.
 * @throws Error when it is not installed
 */
export async function loadFlowRunner(): Promise<typeof createFlowRunner> {
  try {
    return (await import("../../../lib/flows/build-flow-runner.ts")).createFlowRunner;
  } catch (error) {
    if (!isRecord(error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const help = "npm install --save-dev @aws/durable-execution-sdk-js";
    throw new Error(`Flows are played with a package that is not installed: ${help}`, { cause: error });
  }
}
