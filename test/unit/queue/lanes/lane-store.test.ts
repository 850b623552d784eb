import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createLaneStore,
  headOf,
  LaneLostError,
  type LaneStore,
} from "../../../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

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

  it("returns a lane's events in the queue's order, for any order of insertion", async () => {
    await store.park("events a", parked);
    for (const number of [3, 1, 20, 2]) await store.append("events a", record(number));
    await store.append("events b", record(0));

    const first = await store.first("events a", 10);

    expect(first.map(({ messageId }) => messageId)).toEqual(["m-1", "m-2", "m-3", "m-20"]);
  });

  it("returns the events after a given one, also after one in parts", async () => {
    const large = randomBytes(600_000).toString("base64");
    await store.put("events a", record(1, large));
    for (const number of [2, 3]) await store.put("events a", record(number));

    const ids = async (after: string) =>
      (await store.first("events a", 10, after)).map(({ messageId }) => messageId);

    expect(await ids(record(1).sequence)).toEqual(["m-2", "m-3"]);
    expect(await ids(record(3).sequence)).toEqual([]);
  });

  it("stores an event once if it is put twice", async () => {
    await store.park("events a", parked);
    await store.append("events a", record(1));
    await store.append("events a", record(1));

    expect(await store.first("events a", 10)).toEqual([record(1)]);
  });

  it("removes no event that another process parked while this one was suspended during its append", async () => {
    const standing = createLaneStore(
      {
        ...table,
        query: async (...asked) => {
          const later = createLaneStore(table, () => 76_000);
          await later.put("events a", record(1));
          await later.park("events a", parked);
          return table.query(...asked);
        },
      },
      () => 1000,
    );

    expect(await standing.append("events a", record(1))).toBe(false);

    expect(await store.first("events a", 10)).toEqual([record(1)]);
  });

  it("appends nothing to a lane that is not parked, and leaves nothing behind", async () => {
    expect(await store.append("events a", record(1))).toBe(false);

    expect(table.items()).toEqual([]);
  });

  it("unparks a lane only if no event was appended behind its last one", async () => {
    await store.park("events a", parked);
    const taken = await store.take("events a", "me");
    await store.append("events a", record(1));

    expect(await store.unpark("events a", "me", taken?.version ?? -1)).toBe(false);
    const { version } = await store.update("events a", "me", { wakeAt: 1000 });
    expect(await store.unpark("events a", "other", version)).toBe(false);
    expect(await store.unpark("events a", "me", version)).toBe(true);
    expect(await store.take("events a", "me")).toBeUndefined();
  });

  it("refuses a write of a process that lost the lane", async () => {
    await store.park("events a", parked);
    await store.take("events a", "old");
    await store.take("events a", "new");

    await expect(store.update("events a", "old", { wakeAt: 1 })).rejects.toThrow(LaneLostError);

    const head = { sequence: "1", progress: { ...noProgress, deaths: 2 }, since: 3 };
    expect(await store.update("events a", "new", { head })).toMatchObject({ wakeAt: 5000, head });
  });

  it("removes an event", async () => {
    await store.park("events a", parked);
    await store.append("events a", record(1));
    await store.append("events a", record(2));

    await store.remove("events a", record(1));

    expect(await store.first("events a", 10)).toEqual([record(2)]);
  });

  it("returns all that is known of the event at the head", async () => {
    const progress = {
      deaths: 1,
      waits: 2,
      tries: { a: 3 },
      finished: ["b"],
      failed: { c: { reason: "tries", cause: "a bug" } },
      pending: { d: { destination: "chat write", ok: 4, bad: 5 } },
      cause: "silence",
    };
    const head = { sequence: "1", progress, since: 3 };

    await store.park("events a", { wakeAt: 1, head });

    expect((await store.find(["events a"])).get("events a")).toEqual({ version: 0, wakeAt: 1, head });
  });

  it("changes only the given fields", async () => {
    const head = { sequence: "1", progress: noProgress, since: 3 };
    await store.park("events a", { wakeAt: 1, head });
    await store.take("events a", "me");

    expect(await store.update("events a", "me", { wakeAt: 7 })).toEqual({
      version: 0,
      wakeAt: 7,
      head,
      wasTaken: true,
    });
    expect(await store.update("events a", "me", { head: { ...head, sequence: "2" } })).toMatchObject({
      wakeAt: 7,
      head: { sequence: "2" },
    });
  });

  it("names the lane that was lost", async () => {
    await store.park("events a", parked);

    await expect(store.update("events a", "nobody", { wakeAt: 1 })).rejects.toMatchObject({
      name: "LaneLostError",
      message: "Lane events a was taken over by another run; this one writes nothing more.",
    });
  });

  it("refuses to take a lane that is not parked, and creates none", async () => {
    expect(await store.take("events a", "me")).toBeUndefined();

    expect(table.items()).toEqual([]);
  });

  it("leaves a partly read large event, and those behind it, for the next read", async () => {
    const large = record(2, randomBytes(786_000).toString("base64"));
    for (const one of [record(1), large, record(3)]) await store.put("events a", one);

    expect(await store.first("events a", 3)).toEqual([record(1)]);
    expect((await store.first("events a", 5)).map(({ messageId }) => messageId)).toEqual([
      "m-1",
      "m-2",
      "m-3",
    ]);
    await store.remove("events a", large);
    expect(table.items()).toHaveLength(2);
  });

  it("writes the first part of an event last, and removes it first, so that no partial event is read", async () => {
    const large = record(1, randomBytes(786_000).toString("base64"));
    const put: unknown[] = [];
    const removed: unknown[] = [];
    const watched = createLaneStore(
      {
        ...table,
        put: (...call) => {
          put.push(call[0].item);
          return table.put(...call);
        },
        delete: (...call) => {
          removed.push(call[0].item);
          return table.delete(...call);
        },
      },
      () => 1000,
    );

    await watched.put("events a", large);
    await watched.remove("events a", large);

    const [first, second, third] = [0, 1, 2].map((part) => `event ${large.sequence} 0${part}`);
    expect(put).toEqual([third, second, first]);
    expect(removed).toEqual([first, second, third]);
    expect(table.items()).toEqual([]);
  });

  describe("with incomplete large events", () => {
    const largeOf = (number: number) => record(number, randomBytes(786_000).toString("base64"));

    /** Puts a large event whose first `gone` parts are removed or not yet written. */
    async function putRest(number: number, gone = 1) {
      const { sequence } = largeOf(number);
      await store.put("events a", largeOf(number));
      for (let part = 0; part < gone; part += 1)
        await table.delete({ lane: "events a", item: `event ${sequence} 0${part}` });
    }

    it.each([1, 2])("returns the events behind one that lost its first %i parts", async (gone) => {
      await putRest(1, gone);
      await store.put("events a", record(2));

      expect(await store.first("events a", 10)).toEqual([record(2)]);
    });

    it("finds events behind whole pages of such parts", async () => {
      for (const number of [1, 2, 3]) await putRest(number);
      await store.put("events a", record(4));

      expect(await store.first("events a", 3)).toEqual([record(4)]);
      expect(await store.first("events a", 6)).toEqual([record(4)]);
    });

    it("reads a large event behind such parts if a page ends within it", async () => {
      const large = largeOf(2);
      await putRest(1);
      await store.put("events a", large);

      expect(await store.first("events a", 3)).toEqual([large]);
    });

    it("returns nothing if there are only such parts", async () => {
      await putRest(1);

      expect(await store.first("events a", 2)).toEqual([]);
      expect(await store.first("events a", 10)).toEqual([]);
    });

    it("returns the events before an incomplete one, then throws that a part is missing", async () => {
      const broken = largeOf(2);
      for (const one of [record(1), broken, record(3)]) await store.put("events a", one);
      await table.delete({ lane: "events a", item: `event ${broken.sequence} 01` });

      expect(await store.first("events a", 10)).toEqual([record(1)]);
      await store.remove("events a", record(1));

      await expect(store.first("events a", 10)).rejects.toMatchObject({
        name: "UnreadableEventError",
        message: `Of a parked event, a part is missing: events a ${broken.sequence}. Look at the lanes table.`,
      });
    });
  });

  it.each(["no JSON", "{}", '{"sequence":"1","progress":{"version":2}}'])(
    "finds a lane whose head was written by another version, and other lanes: %s",
    async (head) => {
      await store.park("events a", parked);
      await store.park("events b", parked);
      await table.update({ lane: "events a", item: "state" }, { set: { head } });

      const found = await store.find(["events a", "events b"]);

      expect(found.get("events a")).toEqual({ version: 0, wakeAt: parked.wakeAt, head: undefined });
      expect(found.get("events b")).toEqual({ version: 0, ...parked });
    },
  );

  it.each([
    ["the time of parking", { since: 7 }, 7],
    ["now, if that is unknown", {}, 1000],
  ])("counts the wait of a head that an earlier version wrote from %s", async (_when, parkedThen, since) => {
    await store.park("events a", { ...parked, ...parkedThen });
    const head = JSON.stringify({ sequence: "1", progress: noProgress });
    await table.update({ lane: "events a", item: "state" }, { set: { head } });

    expect((await store.find(["events a"])).get("events a")?.head).toEqual({
      sequence: "1",
      progress: noProgress,
      since,
    });
  });

  it("keeps a lane for 15 days from its last change, a day longer than the queues, and its events for 45", async () => {
    const days = 24 * 60 * 60;
    let nowMs = 500;
    const later = createLaneStore(table, () => nowMs);
    const expirations = () => table.items().map(({ expiration }) => expiration);

    await later.park("events a", parked);
    expect(expirations()).toEqual([15 * days + 1]);
    nowMs = days * 1000;
    await later.append("events a", record(1));
    expect(expirations().toSorted()).toEqual([16 * days, 46 * days]);
    nowMs = 2 * days * 1000;
    await later.take("events a", "me");
    expect(expirations().toSorted()).toEqual([17 * days, 46 * days]);
  });
});

describe("headOf", () => {
  const { sequence } = record(1);
  const head = { sequence, progress: { ...noProgress, deaths: 2 }, since: 3 };

  it("returns the known head for its event, and a new one for any other event", () => {
    expect(headOf(record(1), { head }, 9)).toBe(head);
    expect(headOf(record(2), { head }, 9)).toEqual({
      sequence: record(2).sequence,
      progress: noProgress,
      since: 9,
    });
    expect(headOf(record(1), { head: undefined }, 9)).toEqual({ sequence, progress: noProgress, since: 9 });
  });
});
