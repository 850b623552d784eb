import type { World } from "../stack/world.ts";
import type { CallStore } from "./calls/call-store.ts";
import type { KeptJournal } from "./journeys/keep-journal.ts";
import type { LineStore } from "./log/line-store.ts";

export interface ConsoleContext {
  readonly world: World;
  readonly calls: CallStore;
  readonly journal: KeptJournal;
  readonly lines: LineStore;
}
