import { beforeEach, describe, expect, it } from "vitest";
import { createLaneStore, LaneLostError, type LaneStore } from "../../../lib/lanes/lane-store.ts";
import { noProgress } from "../../../lib/lanes/progress.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const record = (number: number, messageBody = `event ${number}`) => ({
  messageId: `m-${number}`,
  sequence: String(number).padStart(40, "0"),
  messageBody,
});
const parked = { wakeAt: 5000, head: undefined };

describe("createLaneStore", () => {
  let store: LaneStore;
  let table: ReturnType<typeof createMemoryTable>;

  beforeEach(() => {
    table = createMemoryTable("lane", "item");
    store = createLaneStore(table, () => 1000);
  });

  it("parks a lane once, and finds it", async () => {
    expect(await store.park("events a", parked)).toBe(true);
    expect(await store.park("events a", { ...parked, wakeAt: 9000 })).toBe(false);

    const found = await store.find(["events a", "events b"]);

    expect([...found]).toEqual([["events a", { version: 0, ...parked }]]);
  });

  it("gives a lane's events in the order of the queue, whatever the order in which they were put", async () => {
    await store.park("events a", parked);
    for (const number of [3, 1, 20, 2]) await store.append("events a", record(number));
    await store.append("events b", record(0));

    const first = await store.first("events a", 10);

    expect(first.map(({ messageId }) => messageId)).toEqual(["m-1", "m-2", "m-3", "m-20"]);
  });

  it("keeps one event where it is put twice", async () => {
    await store.park("events a", parked);
    await store.append("events a", record(1));
    await store.append("events a", record(1));

    expect(await store.first("events a", 10)).toEqual([record(1)]);
  });

  it("appends nothing to a lane that is not parked, and leaves nothing behind", async () => {
    expect(await store.append("events a", record(1))).toBe(false);

    expect(table.items()).toEqual([]);
  });

  it("lets a lane flow only if nothing was put behind its last event", async () => {
    await store.park("events a", parked);
    const taken = await store.take("events a", "me");
    await store.append("events a", record(1));

    expect(await store.unpark("events a", "me", taken?.version ?? -1)).toBe(false);
    const { version } = await store.update("events a", "me", { wakeAt: 1000 });
    expect(await store.unpark("events a", "other", version)).toBe(false);
    expect(await store.unpark("events a", "me", version)).toBe(true);
    expect(await store.take("events a", "me")).toBeUndefined();
  });

  it("lets nobody write who lost the lane", async () => {
    await store.park("events a", parked);
    await store.take("events a", "old");
    await store.take("events a", "new");

    await expect(store.update("events a", "old", { wakeAt: 1 })).rejects.toThrow(LaneLostError);

    const head = { sequence: "1", progress: { ...noProgress, deaths: 2 } };
    expect(await store.update("events a", "new", { head })).toMatchObject({ wakeAt: 5000, head });
  });

  it("forgets an event, all parts of it", async () => {
    await store.park("events a", parked);
    await store.append("events a", record(1));
    await store.append("events a", record(2));

    await store.remove("events a", record(1));

    expect(await store.first("events a", 10)).toEqual([record(2)]);
  });
});
