import { expect, it } from "vitest";
import { checkFailing } from "../../../../lib/operate/doctor/check-failing.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { openLaneStores } from "../../../../lib/queue/lanes/lane-stores.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const { id: laneId } = laneOf("events", "group", "greet");

it.each([
  ["still fails while others wait for it", true, ["wrong"]],
  ["fails no more once none waits for it", false, ["ok"]],
])("a trigger whose last event is a dead letter %s", async (_case, isParked, expected) => {
  const lanes = createMemoryTable("lane", "item");
  const { store } = openLaneStores(lanes, () => nowMs);
  if (isParked) await store.park(laneId, { wakeAt: nowMs, head: undefined });
  const services = { lanes, now: () => nowMs, remedies: remediesFor("--local") };
  const failing = [{ what: "trigger greet", sinceMs: nowMs, count: 5, cause: "no luck", waitsIn: laneId }];
  const logs = {
    failing: async () => failing,
    crashedLanes: async () => [],
    runningTrigger: async () => undefined,
  };

  const found = await checkFailing("app-1", services, logs, undefined);

  expect(found.map(({ status }) => status)).toEqual(expected);
});
