import type { World } from "../world.ts";

/** What every part of the console gets. */
export interface ConsoleGround {
  readonly world: World;
}
