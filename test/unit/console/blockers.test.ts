import { expect, it } from "vitest";
import { heldBackOf } from "../../../lib/effects/health/breaker.ts";
import { laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import { openLaneStores } from "../../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../../lib/queue/lanes/outage-room.ts";
import { readBlockers } from "../../../local/console/queues/look-at-queue.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

it("names a trigger whose events are held back, while an event waits", async () => {
  const nowMs = Date.UTC(2026, 2, 2, 8);
  const stores = openLaneStores(createMemoryTable("lane", "item"), () => nowMs);
  const look = () =>
    readBlockers({ cloud: { receiveAll: () => [] }, stores, appIds: ["app-1", "app-2"], nowMs });
  const outage = { destination: heldBackOf("chaos"), sinceMs: nowMs - 60_000 };
  const pauseId = outageRoomOf(outage);
  await stores.healthStore.noteWait("app-1", outage.destination, outage.sinceMs);
  const before = await look();
  const { id, source, group, trigger } = laneOf("events", "g", "chaos");
  await stores.room.enter({ appId: "app-1", pauseId }, { kind: "lane", source, group, trigger });
  const sinceMs = nowMs - 70_000;
  await stores.store.park(id, { wakeAt: 0, since: sinceMs, heldBy: pauseId, head: undefined });

  expect(before).toEqual([]);
  expect(await look()).toEqual([{ kind: "held-back", appId: "app-1", trigger: "chaos", sinceMs }]);
});
