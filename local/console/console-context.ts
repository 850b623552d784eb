import type { World } from "../stack/world.ts";
import type { KeptCall } from "./calls/call-store.ts";
import type { KeptJournal } from "./journeys/keep-journal.ts";
import type { JsonRoutes } from "./json-routes.ts";
import type { KeptList } from "./kept-list.ts";
import type { KeptLine } from "./log/line-store.ts";

export interface ConsoleContext {
  readonly on: JsonRoutes;
  readonly world: World;
  readonly calls: KeptList<KeptCall>;
  readonly journal: KeptJournal;
  readonly lines: KeptList<KeptLine>;
}
