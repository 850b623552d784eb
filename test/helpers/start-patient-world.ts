import { type LocalStack, type LocalStackOptions, startLocalStack } from "../../local/stack/local-stack.ts";

/**
 * Starts a world whose platform waits for the receiver for as long as a busy machine takes to start a
 * process: a delivery that timed out would return after ten seconds, too late for a test that waits for
 * running work.
 */
export async function startPatientWorld(options: LocalStackOptions = {}): Promise<LocalStack> {
  const world = await startLocalStack(options);
  world.platform.switches.deliveryTimeoutMs = 60_000;
  return world;
}
