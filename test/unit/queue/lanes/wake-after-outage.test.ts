import { beforeEach, describe, expect, it } from "vitest";
import { createHolds } from "../../../../lib/queue/lanes/holds.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { type Outage, outageRoomOf, outageRooms } from "../../../../lib/queue/lanes/outage-room.ts";
import type { Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { wakeAfterOutage } from "../../../../lib/queue/lanes/wake-waiters.ts";
import { renewWorld, startMs, world } from "./lane-world.ts";

const destination = "api.example write";
const outage = { destination, sinceMs: startMs };
const of = roomOf(outage);

function roomOf(known: Outage) {
  return { appId: "app-1", pauseId: outageRoomOf(known) };
}

beforeEach(renewWorld);

describe("wakeAfterOutage", () => {
  let woken: string[];

  beforeEach(async () => {
    woken = [];
    await world.healthStore.noteBad("app-1", destination, "events g1", startMs);
  });

  const watch = (known = outage) =>
    wakeAfterOutage(roomOf(known), known, world.time.nowMs + 60_000, {
      healthStore: world.healthStore,
      store: world.services.store,
      room: world.room,
      sendTickets: async (tickets: readonly Ticket[]) =>
        void woken.push(...tickets.map(({ lane }) => lane.group)),
      noteWait: world.services.noteWait,
      now: world.services.now,
    });
  const enter = async (group: string, room = of) => {
    const { id, source } = laneOf("events", group);
    await world.room.enter(room, { kind: "lane", source, group });
    await world.services.store.park(id, { wakeAt: startMs, heldBy: room.pauseId, head: undefined });
  };
  const passTime = (ms: number) => {
    world.time.nowMs = startMs + ms;
  };

  it("wakes one lane every 30 s, in turns, to probe the destination", async () => {
    for (const group of ["g1", "g2"]) await enter(group);

    const seen = [];
    for (const ms of [29_999, 30_000, 59_999, 60_000, 90_000]) {
      passTime(ms);
      seen.push([((await watch()) ?? 0) - world.time.nowMs, woken.at(-1)]);
    }

    expect(seen).toEqual([undefined, "g1", "g1", "g2", "g1"].map((group) => [5_000, group]));
  });

  it("wakes all lanes after the destination answered, and ends", async () => {
    for (const group of ["g1", "g2", "g3"]) await enter(group);
    await world.healthStore.noteOk("app-1", destination, 1);

    expect(await watch()).toBeUndefined();
    expect(await watch()).toBeUndefined();

    expect(woken).toEqual(["g1", "g2", "g3"]);
  });

  it("wakes every lane after half an hour, when its event may reach its maximum wait", async () => {
    for (const group of ["g1", "g2", "g3"]) await enter(group);
    passTime(30 * 60_000);

    await watch();

    expect(woken).toEqual(["g1", "g2", "g3"]);
  });

  it("wakes one held-back lane per 30 s, every one after 15 minutes, and all when one succeeds", async () => {
    const heldBack = { destination: "held-back trigger a", sinceMs: startMs };
    await (await world.health()).noteHeldBack("a");
    for (const group of ["g1", "g2", "g3"]) await enter(group, roomOf(heldBack));
    const wokenAt = async (ms: number) => {
      passTime(ms);
      woken = [];
      await watch(heldBack);
      return woken;
    };

    expect(await wokenAt(31_000)).toEqual(["g1"]);
    expect(await wokenAt(36_000)).toEqual([]);
    expect(await wokenAt(15 * 60_000)).toEqual(["g2", "g3"]);
    await (await world.health()).noteHeldBackDone("a");
    expect(await wokenAt(15 * 60_000 + 5_000)).toEqual(["g1", "g2", "g3"]);
  });

  it("ends a trigger's hold when no held-back lane waits", async () => {
    await (await world.health()).noteHeldBack("a");

    await watch({ destination: "held-back trigger a", sinceMs: startMs });

    expect((await world.health()).outageOf("held-back trigger a")).toBeUndefined();
  });

  it("skips a lane that continued, and ends when no lane waits", async () => {
    await enter("g1");
    await world.room.enter(of, { kind: "lane", source: "events", group: "g0" });
    passTime(6 * 60_000);
    await watch();
    expect(woken).toEqual(["g1"]);

    await world.services.store.take(laneOf("events", "g1").id, "somebody");
    await world.services.store.unpark(laneOf("events", "g1").id, "somebody", 0);
    passTime(12 * 60_000);

    expect(await watch()).toBeUndefined();
    expect(await world.room.waiters(of, undefined, 10)).toEqual([]);
  });

  it("watches the rooms of two apps whose outages of a host began together", async () => {
    const { room, healthStore } = world;
    await healthStore.noteBad("app-2", destination, "events g1", startMs);
    const sent: string[] = [];
    const sendRoomTicket = async ({ appId }: { appId: string }) => void sent.push(appId);
    const pauseStore = { read: async () => new Map() };
    const holds = createHolds({ pauseStore, healthStore, room, sendRoomTicket, now: world.services.now });

    for (const appId of ["app-1", "app-2"]) await holds.ensureWatched(appId, of.pauseId);

    expect(sent).toEqual(["app-1", "app-2"]);
  });

  it("waits for the time at which the breaker lets a request pass", async () => {
    await enter("g1");
    await world.healthStore.open("app-1", destination, startMs + 100_000);
    passTime(99_999);
    await watch();
    expect(woken).toEqual([]);

    passTime(100_000);
    await watch();

    expect(woken).toEqual(["g1"]);
  });

  it("wakes all when another outage of the destination began meanwhile", async () => {
    for (const group of ["g1", "g2"]) await enter(group);
    await world.healthStore.noteOk("app-1", destination, 1);
    await world.healthStore.noteBad("app-1", destination, "events g1", startMs + 1);

    expect(await watch()).toBeUndefined();

    expect(woken).toEqual(["g1", "g2"]);
  });

  it("wakes all waiting lanes when an outage expires after 14 days; the next failure begins another", async () => {
    for (const group of ["g1", "g2"]) await enter(group);
    passTime(14 * 24 * 60 * 60_000 + 1);
    await (await world.health()).markTrouble();

    expect(await watch()).toBeUndefined();

    expect(woken).toEqual(["g1", "g2"]);
    await world.healthStore.noteBad("app-1", destination, "events g1", world.time.nowMs);
    expect((await world.health()).outageOf(destination)?.sinceMs).toBe(world.time.nowMs);
  });

  it("wakes at most 100 lanes that rested for half an hour, the longest first", async () => {
    await enter("last");
    for (let number = 0; number < 101; number += 1) {
      passTime(number === 0 ? 2 : 1);
      await enter(`g${String(number).padStart(3, "0")}`);
    }
    passTime(1);
    await enter("last");
    passTime(30 * 60_000 + 2);

    await watch();

    expect(woken).toHaveLength(100);
    expect(woken).not.toContain("g000");
    await watch();
    expect(woken.slice(100)).toEqual(["last", "g000"]);
  });

  it("gives each of 501 lanes its turn, page by page", async () => {
    for (let number = 0; number < 501; number += 1) await enter(`g${String(number).padStart(3, "0")}`);
    passTime(30_000);
    await watch();
    const first = await world.room.watch(of);
    passTime(60_000);
    await watch();
    const second = await world.room.watch(of);

    expect(woken).toEqual(["g000", "g500"]);
    expect([first?.lookedTo, second?.lookedTo]).toEqual(["lane events g499", undefined]);
  });

  it("keeps a lane's place for five minutes, so that it can store its state", async () => {
    const waiter = { kind: "lane", source: "events", group: "g1" } as const;
    const hasSeat = async () => (await world.room.waiters(of, undefined, 10)).length === 1;
    await world.room.enter(of, waiter);
    passTime(5 * 60_000);
    expect(await watch()).toBe(world.time.nowMs + 5_000);
    expect(await hasSeat()).toBe(true);

    passTime(5 * 60_000 + 1);
    expect(await watch()).toBeUndefined();

    expect([await hasSeat(), woken]).toEqual([false, []]);
    expect((await world.room.watch(of))?.isOver).toBe(true);
  });

  it("counts, once a minute, an outage of more than an hour for which a lane waits", async () => {
    passTime(3_601_000);
    await watch();
    expect(world.counted).toEqual([]);
    await enter("g1");
    const counts: number[] = [];
    for (const seconds of [3_660, 3_695, 3_715, 3_740]) {
      passTime(seconds * 1_000);
      await watch();
      counts.push(world.counted.length);
    }

    expect(counts).toEqual([1, 1, 1, 2]);
    expect(world.counted[0]).toEqual(["LanesWaitLong", { appId: "app-1" }]);
  });

  it("skips a lane that waits for another reason", async () => {
    const { id, source } = laneOf("events", "g1");
    await world.room.enter(of, { kind: "lane", source, group: "g1" });
    await world.services.store.park(id, { wakeAt: startMs, heldBy: "a-pause", head: undefined });
    passTime(60_000);

    await watch();

    expect(woken).toEqual([]);
  });

  it("continues for a lane that entered after no lane waited, also before that lane renewed the watch", async () => {
    passTime(1_000);
    expect(await watch()).toBeUndefined();
    await enter("g1");

    expect(await watch()).toBe(world.time.nowMs + 5_000);
  });
});

it("outageRooms lists the rooms of ongoing outages", async () => {
  await world.healthStore.noteBad("app-1", destination, "events g1", startMs);
  await world.healthStore.noteBad("app-1", destination, "events g2", startMs + 1);
  await world.healthStore.noteBad("app-1", "other.example", "events g1", startMs);
  await world.healthStore.noteOk("app-1", "other.example", 1);

  expect(await outageRooms("app-1", world)).toEqual([
    { ...of, outage, streakLanes: ["events g1", "events g2"] },
  ]);
});
