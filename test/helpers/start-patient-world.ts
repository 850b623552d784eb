import { type LocalStack, type LocalStackOptions, startLocalStack } from "../../local/stack/local-stack.ts";

/**
 * Starts a world whose platform waits for the receiver for as long as a busy machine takes to start a process: a delivery
 * that it gave up would come again ten seconds after whoever waits for what is under way.
 */
export async function startPatientWorld(options: LocalStackOptions = {}): Promise<LocalStack> {
  const world = await startLocalStack(options);
  world.platform.switches.deliveryTimeoutMs = 60_000;
  return world;
}
