import { beforeEach, describe, expect, it } from "vitest";
import { LaneLostError } from "../../../../lib/queue/lanes/lane-store.ts";
import { appendToLane, parkLane } from "../../../../lib/queue/lanes/park-lane.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { laneId, recordOf, renewWorld, startMs, ticket, world } from "./lane-world.ts";

const records = [1, 2].map((number) => recordOf(number));
const state = {
  wakeAt: startMs + 5000,
  head: { sequence: recordOf(1).sequence, progress: { ...noProgress, waits: 1 }, since: startMs },
};

beforeEach(renewWorld);

describe("parkLane", () => {
  const park = async (which = records) =>
    parkLane(ticket, which, state, await world.health(), world.services);

  it("stores events before their lane, and the lane before its ticket, so that no ticket finds it empty", async () => {
    const seen: unknown[] = [];
    const { store } = world.services;
    const watched = {
      ...store,
      park: async (...call: Parameters<typeof store.park>) => {
        seen.push(await world.parked());
        return store.park(...call);
      },
    };

    await parkLane(ticket, records, state, await world.health(), { ...world.services, store: watched });

    expect(seen).toEqual([["m-1", "m-2"]]);
    expect(await world.stateOf()).toEqual({ version: 0, since: startMs, ...state });
    expect(world.tickets).toEqual([{ ticket, nowMs: startMs, isParked: true }]);
  });

  it("marks the app as unhealthy, so that successes are counted from then on", async () => {
    expect((await world.health()).isInTrouble()).toBe(false);

    await park();

    expect((await world.health()).isInTrouble()).toBe(true);
  });

  it("marks the lane as possibly parked before it stores anything, and stops if the mark fails", async () => {
    world.failTable("update");
    await expect(park()).rejects.toThrow("no table");
    expect(world.asked).toEqual(["query", "update"]);
    world.failTable();

    await park();

    expect((await world.health()).mayBeParked(laneId)).toBe(true);
  });

  it("stores each event once if it is repeated, and updates the lane", async () => {
    await park();

    await park();

    expect(await world.parked()).toEqual(["m-1", "m-2"]);
    expect(await world.stateOf()).toMatchObject({ version: 2, wakeAt: state.wakeAt });
    expect(world.tickets).toHaveLength(2);
  });

  it("appends events to a lane that another process has just parked", async () => {
    await park([recordOf(1)]);

    await park([recordOf(2)]);

    expect(await world.parked()).toEqual(["m-1", "m-2"]);
    expect(await world.stateOf()).toMatchObject({ version: 1 });
  });

  it("throws if the lane is unparked while the events are appended, and sends no ticket", async () => {
    const store = { ...world.services.store, park: async () => false };

    const work = parkLane(ticket, records, state, await world.health(), { ...world.services, store });

    await expect(work).rejects.toThrow(LaneLostError);
    await expect(work).rejects.toThrow(laneId);
    expect(world.tickets).toEqual([]);
  });
});

describe("appendToLane", () => {
  const append = async (mayHaveNoTicket = false) => {
    const parked = await world.stateOf();
    if (parked === undefined) throw new Error("The lane is not parked.");
    return appendToLane(ticket, records, parked, mayHaveNoTicket, await world.health(), world.services);
  };

  it("appends the events to those that wait, and returns none", async () => {
    await world.services.store.park(laneId, state);
    await world.services.store.take(laneId, "somebody");
    await world.services.store.append(laneId, recordOf(0));

    expect(await append()).toEqual([]);

    expect(await world.parked()).toEqual(["m-0", "m-1", "m-2"]);
    expect(world.tickets).toEqual([]);
  });

  it("returns the events that it could not append because the lane was unparked", async () => {
    await world.services.store.park(laneId, state);
    const { store } = world.services;
    let calls = 0;
    const once = {
      ...store,
      append: async (...call: Parameters<typeof store.append>) => {
        calls += 1;
        return calls === 1 ? store.append(...call) : false;
      },
    };

    const left = await appendToLane(ticket, records, { version: 0, ...state }, true, await world.health(), {
      ...world.services,
      store: once,
    });

    expect(left).toEqual([recordOf(2)]);
    expect(world.tickets).toEqual([]);
  });

  it.each([
    ["at five minutes", 300_000, 0],
    ["after five minutes", 300_001, 1],
  ])("replaces a lane's ticket only after five minutes: %s", async (_case, lateMs, count) => {
    await world.services.store.park(laneId, state);
    await world.services.store.take(laneId, "somebody");
    world.time.nowMs = state.wakeAt + lateMs;

    await append();

    expect(world.tickets).toHaveLength(count);
  });

  it("sends one ticket an hour while a lane waits behind many others' tickets", async () => {
    await world.services.store.park(laneId, state);
    for (const minutes of [0, 4, 60]) {
      world.time.nowMs = startMs + minutes * 60_000;
      await append();
    }
    expect(world.tickets).toHaveLength(1);

    world.time.nowMs += 1;
    await append();

    expect(world.tickets).toHaveLength(2);
  });

  it("sends another ticket if the lane was taken with an earlier one and is late", async () => {
    await world.services.store.park(laneId, state);
    await append();
    await world.services.store.take(laneId, "somebody");
    world.time.nowMs = state.wakeAt + 300_001;

    await append();

    expect(world.tickets).toHaveLength(2);
  });

  it("sends a ticket to a lane that never had one", async () => {
    await world.services.store.park(laneId, state);

    await append();

    expect(world.tickets).toMatchObject([{ ticket }]);
  });

  it("sends a ticket with the current time if there may be none", async () => {
    await world.services.store.park(laneId, state);
    await world.services.store.take(laneId, "somebody");
    world.time.nowMs += 7;

    await append(true);

    expect(world.tickets).toMatchObject([{ ticket, nowMs: startMs + 7 }]);
  });
});
