import type { World } from "../stack/world.ts";
import type { CallStore } from "./calls/call-store.ts";
import type { KeptJournal } from "./journeys/keep-journal.ts";

export interface ConsoleContext {
  readonly world: World;
  readonly calls: CallStore;
  readonly journal: KeptJournal;
}
