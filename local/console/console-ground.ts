import type { World } from "../world.ts";
import type { CallStore } from "./calls/call-store.ts";

/** What every part of the console gets. */
export interface ConsoleGround {
  readonly world: World;
  /** What was asked of the platform since the console's start. */
  readonly calls: CallStore;
}
