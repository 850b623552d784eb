import { type LocalStack, type LocalStackOptions, startLocalStack } from "../../local/stack/local-stack.ts";
import { warmAndReset, warmReceiver } from "./warm-receiver.ts";

/**
 * Starts a world with a receiver that is ready, and a platform that waits for as long as a busy machine takes
 * to start a process.
 */
export async function startPatientWorld(options: LocalStackOptions = {}): Promise<LocalStack> {
  const world = await startLocalStack(options);
  world.platform.switches.deliveryTimeoutMs = 60_000;
  if (options.dataFolder === undefined) await warmAndReset(world);
  else await warmReceiver(world);
  return world;
}
