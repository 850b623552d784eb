import { createTable } from "../../lib/aws/create-table.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { createWaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/** What the lanes table holds. Makes no request yet. */
export function openStores(
  { callAws }: Pick<Target, "callAws">,
  { physicalId }: Pick<Stack, "physicalId">,
  now: () => number,
) {
  const lanes = createTable({ callAws, tableName: physicalId("LanesTable"), sortKey: "item" });
  return {
    lanes,
    healthStore: createHealthStore(lanes, now),
    store: createLaneStore(lanes, now),
    room: createWaitingRoom(lanes, now),
  };
}
