import type { World } from "../stack/world.ts";
import type { CallStore } from "./calls/call-store.ts";
import type { KeptJournal } from "./journeys/keep-journal.ts";
import type { LineStore } from "./log/line-store.ts";

/** What every part of the console gets. */
export interface ConsoleGround {
  readonly world: World;
  /** What was asked of the platform since the console's start. */
  readonly calls: CallStore;
  /** What became of each delivery. */
  readonly journal: KeptJournal;
  /** What the functions wrote since then. */
  readonly lines: LineStore;
}
