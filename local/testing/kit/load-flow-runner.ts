import { isRecord } from "../../../lib/base/json.ts";
import type { createFlowRunner } from "../../../lib/flows/build-flow-runner.ts";

/**
 * Loaded only for runs with flows.
 * @throws Error if the SDK is not installed
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
