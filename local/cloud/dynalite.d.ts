declare module "dynalite" {
  import type { Server } from "node:http";

  /** Times are how long a table stays CREATING, DELETING or UPDATING; `path` is a LevelDB folder, memory if absent. */
  function dynalite(options?: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Server;
  export = dynalite;
}
