import { startWorld, type World, type WorldOptions } from "../../local/stack/local-stack.ts";

/**
 * Starts a world whose platform waits for the receiver for as long as a busy machine takes to start a process: a delivery
 * that it gave up would come again ten seconds after whoever waits for what is under way.
 */
export async function startPatientWorld(options: WorldOptions = {}): Promise<World> {
  const world = await startWorld(options);
  world.platform.switches.deliveryTimeoutMs = 60_000;
  return world;
}
