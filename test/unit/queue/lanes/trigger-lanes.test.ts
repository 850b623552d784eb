import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import type { Attempt } from "../../../../lib/queue/lanes/lane-services.ts";
import { maxTries, noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { createTriggerLanes, type UnfinishedTrigger } from "../../../../lib/queue/lanes/trigger-lanes.ts";
import { laneId, recordOf, renewWorld, startMs, ticket, world } from "./lane-world.ts";

const beside = laneOf("events", "lane-1", "welcome");

beforeEach(renewWorld);

describe("createTriggerLanes", () => {
  const triggerLanes = () => createTriggerLanes({ ...world.services, triggerNames: ["welcome", "reply"] });
  const attemptAt = async (number: number): Promise<Attempt> => ({
    record: recordOf(number),
    ticket,
    message: undefined,
    progress: noProgress,
    health: await world.health(),
    since: startMs - 7,
    laneSince: 0,
    maxTries,
  });
  /** Handles the first event of a lane as another process, and unparks it. */
  const finish = async (id: string) => {
    const { store } = world.services;
    const taken = await store.take(id, "another");
    await store.remove(id, recordOf(1));
    await store.unpark(id, "another", taken?.version ?? 0);
  };
  const welcome = (more: Partial<UnfinishedTrigger> = {}): UnfinishedTrigger => ({
    name: "welcome",
    finished: ["message_sent reply"],
    wakeAt: startMs + 5_000,
    hung: false,
    progress: { ...noProgress, waits: 1, tries: { "message_sent welcome": 1 }, cause: "a bug" },
    ...more,
  });

  it("parks a trigger's lane with its steps' progress, and continues its maximum wait", async () => {
    await triggerLanes().move(await attemptAt(1), welcome());

    expect(await world.stateOf(beside.id)).toMatchObject({
      wakeAt: startMs + 5_000,
      head: { sequence: recordOf(1).sequence, progress: welcome().progress, since: startMs - 7 },
    });
    expect(await world.parked(beside.id)).toEqual(["m-1"]);
    expect(world.tickets).toMatchObject([{ ticket: { appId: "app-1", lane: beside }, isParked: true }]);
    expect(await world.stateOf()).toBeUndefined();
  });

  it("forgets an event whose lane could not be parked, as the conversation's lane handled it", async () => {
    let failures = 0;
    const { store } = world.services;
    const services = {
      ...world.services,
      store: {
        ...store,
        park: async (...call: Parameters<typeof store.park>) => {
          if (++failures <= 1) throw new Error("throttled");
          return store.park(...call);
        },
      },
    };
    const lanes = createTriggerLanes({ ...services, triggerNames: ["welcome"] });
    const first = await attemptAt(1);
    const large = { ...first.record, messageBody: randomBytes(600_000).toString("hex") };
    await expect(lanes.move({ ...first, record: large }, welcome())).rejects.toThrow("throttled");
    expect(await world.parked(beside.id)).toEqual(["m-1"]);

    await lanes.move(await attemptAt(2), welcome());
    await lanes.appendIfWaiting(await attemptAt(3), "welcome", []);

    expect(await world.parked(beside.id)).toEqual(["m-2", "m-3"]);
    expect(world.table.items().filter(({ item }) => String(item).startsWith("event "))).toHaveLength(2);
  });

  it("appends the trigger's next events to it, in this invocation and the next", async () => {
    const first = triggerLanes();
    await first.move(await attemptAt(1), welcome());

    const reasons = [
      await first.appendIfWaiting(await attemptAt(2), "welcome", []),
      await triggerLanes().appendIfWaiting(await attemptAt(3), "welcome", []),
      await first.appendIfWaiting(await attemptAt(3), "reply", []),
    ];

    expect(reasons).toEqual([
      { kind: "behind", cause: "a bug", wakeAt: startMs + 5_000 },
      { kind: "behind", cause: "a bug", wakeAt: startMs + 5_000 },
      undefined,
    ]);
    expect(await world.parked(beside.id)).toEqual(["m-1", "m-2", "m-3"]);
  });

  it("reads the trigger lanes of a batch in one request, and none again", async () => {
    await triggerLanes().move(await attemptAt(1), welcome());
    const lanes = triggerLanes();
    const health = await world.health();
    world.asked.length = 0;

    const parked = await lanes.findParked([ticket.lane], health);
    await lanes.appendIfWaiting({ ...(await attemptAt(2)), health, isFresh: true }, "welcome", []);

    expect([...parked.keys()].filter((id) => id === laneId)).toEqual([]);
    // The read, the health of the second attempt, and the event behind the others.
    expect(world.asked).toEqual(["batchGet", "query", "put", "update", "update"]);
  });

  it.each([
    ["comes from its queue", { isFresh: true, wasParked: true }],
    ["was parked itself", {}],
  ])(
    "does not overtake an event that another process moved meanwhile, with an event that %s",
    async (_which, more) => {
      await world.putParked([1]);
      const health = await world.health();
      const lanes = triggerLanes();
      await lanes.findParked([ticket.lane], health);
      // The other process: the trigger fails, the lane is empty.
      await triggerLanes().move(await attemptAt(1), welcome());
      await finish(laneId);

      const attempt = { ...(await attemptAt(2)), health, ...more };
      expect(await lanes.appendIfWaiting(attempt, "welcome", [])).toMatchObject({ kind: "behind" });
      world.asked.length = 0;
      expect(await lanes.appendIfWaiting(attempt, "reply", [])).toBeUndefined();

      expect(await world.parked(beside.id)).toEqual(["m-1", "m-2"]);
      expect(world.asked).toEqual([]);
    },
  );

  it("does not overtake an event that another process moves while both lanes are read", async () => {
    await world.putParked([1]);
    const health = await world.health();
    await health.markParked(laneId);
    const lanes = triggerLanes();
    const { batchGet } = world.table;
    world.table.batchGet = async (keys) => {
      world.table.batchGet = batchGet;
      const [ofConversation, others] = [true, false].map((is) =>
        keys.filter(({ lane }) => (lane === laneId) === is),
      );
      // DynamoDB reads the items of a batch at different moments.
      const read = await batchGet(others ?? []);
      await triggerLanes().move(await attemptAt(1), welcome());
      await finish(laneId);
      return [...read, ...(await batchGet(ofConversation ?? []))];
    };

    const parked = await lanes.findParked([ticket.lane], health);

    const attempt = { ...(await attemptAt(2)), health, isFresh: true, wasParked: parked.has(laneId) };
    expect(await lanes.appendIfWaiting(attempt, "welcome", [])).toMatchObject({ kind: "behind" });
  });

  it("does not overtake another process's event whose trigger's lane was not marked yet", async () => {
    const health = await world.health();
    await health.markParked(laneId);
    await triggerLanes().move(await attemptAt(1), welcome());
    const lanes = triggerLanes();

    await lanes.findParked([ticket.lane], health);
    const attempt = { ...(await attemptAt(2)), health, isFresh: true };
    expect(await lanes.appendIfWaiting(attempt, "welcome", [])).toMatchObject({ kind: "behind" });
  });

  it.each([
    ["comes from its queue", { isFresh: true }],
    ["was parked itself", {}],
  ])(
    "lets a trigger act that has caught up since the lanes were read, on an event that %s",
    async (_which, more) => {
      await triggerLanes().move(await attemptAt(1), welcome());
      const lanes = triggerLanes();
      await lanes.findParked([ticket.lane], await world.health());
      await finish(beside.id);

      const attempt = { ...(await attemptAt(2)), ...more };
      expect(await lanes.appendIfWaiting(attempt, "welcome", [])).toBeUndefined();
      world.asked.length = 0;
      expect(await lanes.appendIfWaiting({ ...attempt, record: recordOf(3) }, "welcome", [])).toBeUndefined();

      expect(await world.parked(beside.id)).toEqual([]);
      expect(world.asked).toEqual([]);
    },
  );

  it("reads which triggers hung only while a trigger may have hung within the hour", async () => {
    const { store } = world.services;
    const troublesRead: (readonly string[])[] = [];
    const look: typeof store.look = async (laneIds, ofTroubles) => {
      troublesRead.push(ofTroubles);
      return store.look(laneIds, ofTroubles);
    };
    const find = async () => {
      const lanes = createTriggerLanes({
        ...world.services,
        store: { ...store, look },
        triggerNames: ["welcome"],
      });
      const health = await world.health();
      await lanes.findParked([ticket.lane], health);
      return lanes.appendIfWaiting({ ...(await attemptAt(2)), health, isFresh: true }, "welcome", []);
    };
    await (await world.health()).markTrouble();
    // The next mark is not written.
    world.time.nowMs += 10 * 60_000 - 1;
    await triggerLanes().move(await attemptAt(1), welcome({ hung: true }));
    await finish(beside.id);

    world.time.nowMs += 3_600_000 - 2;
    expect(await find()).toEqual({ kind: "hung" });
    expect(await world.parked(beside.id)).toEqual(["m-2"]);
    world.time.nowMs += 1_000;
    await finish(beside.id);
    await (await world.health()).markParked(laneId);
    world.time.nowMs += 80 * 60_000;
    expect(await find()).toBeUndefined();

    expect(troublesRead).toEqual([[beside.id], [], []]);
  });

  it("returns no time for an event that waits without one", async () => {
    const lanes = triggerLanes();
    await lanes.move(await attemptAt(1), welcome({ wakeAt: 0 }));
    await lanes.move(await attemptAt(1), welcome({ name: "reply", room: "a-pause" }));

    const reasonOf = async (name: string) => lanes.appendIfWaiting(await attemptAt(2), name, []);
    expect(await reasonOf("welcome")).toMatchObject({ kind: "behind", wakeAt: undefined });
    expect(await reasonOf("reply")).toMatchObject({ kind: "behind", wakeAt: undefined });
  });

  it("resends only a ticket that a process may not have sent", async () => {
    await triggerLanes().move(await attemptAt(1), welcome());
    await world.services.store.take(beside.id, "another");
    const lanes = triggerLanes();
    const attempt = await attemptAt(2);
    const ticketsAfter = async (progress: Partial<typeof noProgress>) => {
      world.tickets.length = 0;
      await lanes.appendIfWaiting({ ...attempt, progress: { ...noProgress, ...progress } }, "welcome", []);
      return world.tickets.length;
    };

    expect(await ticketsAfter({})).toBe(0);
    expect(await ticketsAfter({ deaths: 1 })).toBe(1);
    expect(await ticketsAfter({ waits: 1 })).toBe(1);
  });

  it("remembers within the invocation that a trigger hung, and keeps that an event was dead-lettered", async () => {
    await world.services.store.noteTrouble(beside.id, { hung: false, gaveUp: true });
    const marked = await world.health();
    await marked.markParked(beside.id);
    await marked.markTrouble();
    const lanes = triggerLanes();
    await lanes.findParked([ticket.lane], await world.health());
    await lanes.move(await attemptAt(1), welcome({ hung: true }));
    await lanes.move(await attemptAt(1), welcome({ name: "reply", hung: true }));

    expect(await lanes.appendIfWaiting(await attemptAt(2), "welcome", [])).toEqual({ kind: "hung" });
    const reply = laneOf("events", "lane-1", "reply");
    const { troubles } = await world.services.store.look([], [beside.id, reply.id]);
    expect(Object.fromEntries(troubles)).toEqual({
      [beside.id]: { hung: true, gaveUp: true },
      [reply.id]: { hung: true, gaveUp: false },
    });
  });
});
