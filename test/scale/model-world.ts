import type { Random } from "../../local/testing/world/random.ts";
import type { Agenda } from "./agenda.ts";
import type { Load } from "./load.ts";
import type { ModelLanes } from "./model-lanes.ts";
import type { QuotaName } from "./quotas.ts";

/** What the parts of the model share. */
export interface ModelWorld {
  readonly load: Load;
  readonly agenda: Agenda;
  readonly random: Random;
  readonly lanes: ModelLanes;
  readonly account: Account;
  readonly hit: (name: QuotaName) => void;
}

/** What all functions of the account share. */
export interface Account {
  /** Environments that run. */
  running: number;
  /** Counts an invocation; gives the quota that forbids it. */
  readonly refusal: () => QuotaName | undefined;
}

/** What the consumer asked for in all. */
export interface ModelCounts {
  queueRequests: number;
  tableWrites: number;
  healthReads: number;
  laneReads: number;
  otherReads: number;
}
