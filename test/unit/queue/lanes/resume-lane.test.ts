import { beforeEach, describe, expect, it } from "vitest";
import { type Attempt, eventLimitMs } from "../../../../lib/queue/lanes/lane-services.ts";
import { LaneLostError, type NewlyParked } from "../../../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { resumeLane } from "../../../../lib/queue/lanes/resume-lane.ts";
import {
  burial,
  done,
  hourMs,
  laneId,
  recordOf,
  renewWorld,
  startMs,
  ticket,
  wait,
  world,
} from "./lane-world.ts";

beforeEach(renewWorld);

describe("resumeLane", () => {
  const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const park = (count: number, more: Partial<NewlyParked> = {}) => world.putParked(numbersTo(count), more);
  /** The first event's known state. */
  const headOf = (since: number, deaths = 0, suspectsTo?: string) => {
    const { sequence } = recordOf(1);
    return { since, head: { sequence, progress: { ...noProgress, deaths }, since, suspectsTo } };
  };
  const resume = (deadlineMs = startMs + 10 * eventLimitMs) => world.resume(ticket, deadlineMs);
  const die = () => Promise.reject(new Error("the process died"));

  it("returns undefined for a lane that is not parked", async () => {
    expect(await resume()).toBeUndefined();

    expect(world.tried()).toEqual([]);
    expect(world.table.items().filter(({ item }) => item !== "parked")).toEqual([]);
  });

  it("marks the lane as possibly parked before it extends its state's lifetime", async () => {
    await park(1, { wakeAt: startMs + 1 });
    world.asked.length = 0;
    world.failTable("update");

    await expect(resume()).rejects.toThrow("no table");

    expect(world.asked).toEqual(["query", "update"]);
    world.failTable();
    await resume();
    expect((await world.health()).mayBeParked(laneId)).toBe(true);
  });

  it("attempts nothing before the lane is due, and returns that time", async () => {
    await park(1, { wakeAt: startMs + 1 });

    expect(await resume()).toBe(startMs + 1);

    expect(world.tried()).toEqual([]);
    expect((await world.health()).isInTrouble()).toBe(false);
  });

  it.each([
    ["an hour, not yet", hourMs, []],
    ["more than an hour, once a minute", hourMs + 1, [["LanesWaitLong", { appId: "app-1" }]]],
  ])("counts an event's wait of %s", async (_what, waitedMs, counted) => {
    await park(1, headOf(startMs - waitedMs));
    world.attempts.answer = () => wait(startMs);

    for (let time = 0; time < 2; time += 1) await resume();

    expect(world.counted).toEqual(counted);
  });

  it.each([
    ["its first attempt", 0, 7],
    ["its first attempt, if the ticket is an hour late", hourMs, 7],
    ["now, if the ticket is later, because no attempt was possible", hourMs + 1, startMs + hourMs + 1],
  ])("counts the wait of its head from %s", async (_when, lateMs, since) => {
    await park(2, headOf(7));
    world.time.nowMs = startMs + lateMs;
    world.attempts.answer = () => wait(world.time.nowMs + 5000);

    await resume(startMs + lateMs + 10 * eventLimitMs);

    expect(world.attempts.seen).toMatchObject([{ since, laneSince: since }]);
    expect(await world.stateOf()).toMatchObject({ since, head: { since } });
  });

  it("counts each event's wait from its first attempt at the head", async () => {
    await park(3, headOf(7));
    world.attempts.answer = ({ record }) => {
      world.time.nowMs += hourMs;
      if (record.messageId === "m-1") return burial();
      return record.messageId === "m-2" ? done : wait(world.time.nowMs + 5_000);
    };
    const later = startMs + 4 * hourMs;

    await resume(later);
    world.time.nowMs += 5_000;
    await resume(later);

    const seen = world.attempts.seen.map(({ record, since }) => [record.messageId, since]);
    expect(new Set(world.attempts.seen.map(({ laneSince }) => laneSince))).toEqual(new Set([7]));
    expect(seen).toEqual([
      ["m-1", 7],
      ["m-2", startMs + hourMs],
      ["m-3", startMs + 2 * hourMs],
      ["m-3", startMs + 2 * hourMs],
    ]);
  });

  it.each(["update", "delete"] as const)(
    "counts the next event's wait from its first attempt if the process crashed before the %s of a dead letter",
    async (died) => {
      await park(2, headOf(7));
      world.attempts.answer = ({ record }) => {
        world.time.nowMs += hourMs;
        if (record.messageId === "m-2") return die();
        world.faults.table = (operation) => (operation === died ? new Error("died") : undefined);
        return burial();
      };

      await expect(resume(startMs + 2 * hourMs)).rejects.toThrow("died");
      expect(await world.stateOf()).toMatchObject({ head: { since: 7 } });
      world.failTable();
      world.attempts.answer = ({ record }) =>
        record.messageId === "m-1" ? burial() : wait(world.time.nowMs + 5_000);
      await resume(startMs + 9 * hourMs);

      const last = world.attempts.seen.at(-1);
      expect(last).toMatchObject({ record: { messageId: "m-2" }, since: world.time.nowMs });
      expect(await world.stateOf()).toMatchObject({ head: { since: world.time.nowMs } });
    },
  );

  it("handles all events in order, and unparks the lane", async () => {
    await park(23);

    expect(await resume()).toBeUndefined();

    expect(world.tried()).toEqual(numbersTo(23).map((number) => `m-${number}`));
    expect(await world.parked()).toEqual([]);
    expect(await world.stateOf()).toBeUndefined();
    expect((await world.health()).isInTrouble()).toBe(true);
  });

  it("passes the lane, the message and its progress to each attempt", async () => {
    await park(2, headOf(startMs, 1));

    await resume();

    expect(world.attempts.seen).toMatchObject([
      { ticket, message: { key: "key-1" }, progress: { deaths: 1 } },
      { ticket, message: { key: "key-2" }, progress: { deaths: 0 } },
    ]);
  });

  it("removes each event before it begins the next one", async () => {
    await park(3);
    const seen: unknown[] = [];
    world.attempts.answer = async () => {
      seen.push(await world.parked());
      return done;
    };

    await resume();

    expect(seen).toEqual([["m-1", "m-2", "m-3"], ["m-2", "m-3"], ["m-3"]]);
  });

  it("stores that an event began before its attempt, so that a crash is counted", async () => {
    await park(2);
    world.attempts.answer = async ({ record }: Attempt) => {
      expect(await world.stateOf()).toMatchObject({
        head: { sequence: record.sequence, progress: { deaths: 1 } },
      });
      return done;
    };

    await resume();

    expect(world.tried()).toEqual(["m-1", "m-2"]);
  });

  it("counts each crash of the process, up to five, and passes the count to the attempt", async () => {
    await park(1);
    world.attempts.answer = die;

    for (let time = 0; time < 7; time += 1) await expect(resume()).rejects.toThrow("died");

    const names = { appId: "app-1", deliveryKey: "key-1", laneId, queueMessageId: "m-1" };
    expect(world.log).toMatchObject(
      [1, 2, 3, 4, 5, 5].map((deaths) => ({
        message: "an attempt ended without a result",
        fields: { ...names, deaths, outcome: "interrupted" },
      })),
    );
    expect(world.attempts.seen.map(({ progress }) => progress.deaths)).toEqual([0, 1, 2, 3, 4, 5, 5]);
    expect(await world.parked()).toEqual(["m-1"]);
  });

  it("isolates the next event of a crashed run after the first one is handled", async () => {
    await park(4, headOf(startMs, 1, recordOf(3).sequence));
    let deaths = 0;
    world.attempts.answer = ({ record }) => {
      if (record.messageId !== "m-2" || deaths === 2) return done;
      deaths += 1;
      return die();
    };

    for (let time = 0; time < 2; time += 1) await expect(resume()).rejects.toThrow("died");
    await resume();

    expect(world.attempts.seen.map(({ record, progress }) => [record.messageId, progress.deaths])).toEqual([
      ["m-1", 1],
      ["m-2", 1],
      ["m-2", 2],
      ["m-2", 3],
      ["m-3", 0],
      ["m-4", 0],
    ]);
    expect(world.attempts.seen.map(({ noteStep }) => noteStep !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(world.log.map(({ fields }) => Object(fields).deaths)).toEqual([2, 3]);
  });

  it("isolates them in the next invocation as well", async () => {
    await park(4, headOf(startMs, 1, recordOf(4).sequence));
    world.attempts.answer = () => {
      world.time.nowMs += 15_000;
      return done;
    };

    await resume(world.time.nowMs + 60_000);
    // Otherwise it would share its next batch with other lanes.
    expect(await world.stateOf()).not.toHaveProperty("turnEnded");
    await resume(world.time.nowMs + 60_000);

    expect(world.attempts.seen.map(({ progress }) => progress.deaths)).toEqual([1, 1, 1, 1]);
  });

  it("does not isolate an event that came later", async () => {
    await park(3, headOf(startMs, 1, recordOf(2).sequence));

    await resume();

    expect(world.attempts.seen.map(({ progress }) => progress.deaths)).toEqual([1, 1, 0]);
  });

  it("reports the step that ran at the second crash", async () => {
    await park(1);
    world.attempts.answer = async ({ noteStep }) => {
      await noteStep?.("message_sent a");
      return die();
    };

    for (let time = 0; time < 3; time += 1) await expect(resume()).rejects.toThrow("died");

    expect(world.attempts.seen.map(({ progress }) => progress.crashed)).toEqual([
      undefined,
      undefined,
      "message_sent a",
    ]);
  });

  it("stops at an event that must wait, keeps it and those behind it, and returns its time", async () => {
    await park(3);
    world.attempts.answer = ({ record }) =>
      record.messageId === "m-2" ? wait(startMs + 5000, { cause: "silence" }) : done;

    expect(await resume()).toBe(startMs + 5000);

    expect(world.tried()).toEqual(["m-1", "m-2"]);
    expect(await world.parked()).toEqual(["m-2", "m-3"]);
    expect(await world.stateOf()).toMatchObject({
      wakeAt: startMs + 5000,
      head: { sequence: recordOf(2).sequence, progress: { deaths: 0, waits: 1, cause: "silence" } },
    });
  });

  it("begins an event only if its time and 8 s more are left, and leaves the rest to the next run", async () => {
    await park(2);
    world.attempts.answer = () => {
      world.time.nowMs += 1;
      return done;
    };

    expect(await resume(startMs + 38_000)).toBe(startMs + 1);

    expect(world.tried()).toEqual(["m-1"]);
    expect(await world.parked()).toEqual(["m-2"]);
    expect(await world.stateOf()).toHaveProperty("turnEnded", true);
    expect(await resume()).toBeUndefined();
    expect(world.attempts.seen[1]?.progress).toEqual(noProgress);
  });

  it("keeps an event that the dead-letter queue refuses, and the reason to dead-letter it", async () => {
    await park(1);
    const failed = { "message_sent a": { reason: "permanent", cause: "refused" } };
    world.attempts.answer = () => burial({ failed });
    world.faults.bury = new Error("no queue");

    await expect(resume()).rejects.toThrow("no queue");

    expect(await world.parked()).toEqual(["m-1"]);
    expect(await world.stateOf()).toMatchObject({ head: { progress: { deaths: 0, failed } } });
  });

  it("continues with an event that is appended while the last one is handled", async () => {
    await park(1);
    world.attempts.answer = async ({ record }) => {
      if (record.messageId === "m-1") await world.services.store.append(laneId, recordOf(2));
      return done;
    };

    expect(await resume()).toBeUndefined();

    expect(world.tried()).toEqual(["m-1", "m-2"]);
    expect(await world.stateOf()).toBeUndefined();
  });

  it("continues with an event that is appended just after the lane was found empty", async () => {
    await park(1);
    const { store } = world.services;
    let isFirst = true;
    const unpark: typeof store.unpark = async (...call) => {
      if (isFirst) await store.append(laneId, recordOf(2));
      isFirst = false;
      return store.unpark(...call);
    };

    const dueAt = await resumeLane(
      { ticket, health: await world.health(), deadlineMs: startMs + 10 * eventLimitMs },
      { ...world.services, store: { ...store, unpark } },
    );

    expect(dueAt).toBeUndefined();
    expect(world.tried()).toEqual(["m-1", "m-2"]);
    expect(await world.stateOf()).toBeUndefined();
  });

  it.each([
    [1, []],
    [2, ["m-2"]],
  ])("begins and writes nothing after another process took the lane of %i", async (count, left) => {
    await park(count);
    world.attempts.answer = async () => {
      await world.services.store.take(laneId, "somebody else");
      return done;
    };

    await expect(resume()).rejects.toThrow(LaneLostError);

    expect(world.tried()).toEqual(["m-1"]);
    expect(await world.parked()).toEqual(left);
    expect(await world.stateOf()).toBeDefined();
  });

  it("does not store an event's outcome after another process took the lane", async () => {
    await park(1);
    world.attempts.answer = async () => {
      await world.services.store.take(laneId, "somebody else");
      return wait(startMs + 5000);
    };

    await expect(resume()).rejects.toThrow(LaneLostError);

    expect(await world.stateOf()).toMatchObject({ wakeAt: startMs, head: { progress: { deaths: 1 } } });
  });

  it("retries the removal of a handled event while time is left, then rethrows the table's error", async () => {
    await park(1);
    world.failTable("delete");

    await expect(resume(startMs + 38_000)).rejects.toThrow("no table");

    expect(await world.parked()).toEqual(["m-1"]);
    // 250 ms, 500 ms, 1 s and so on: the pause after 31.75 s would end after the deadline.
    expect(world.asked.filter((operation) => operation === "delete")).toHaveLength(8);
    expect(world.time.nowMs).toBe(startMs + 31_750);
  });

  it.each([
    ["the wait of an event", "update", ["m-1"]],
    ["the end of an event", "delete", []],
  ] as const)("stores %s even if the table fails at first", async (_case, failing, left) => {
    await park(1);
    let failures = 0;
    world.attempts.answer = () => {
      world.faults.table = (operation) => {
        if (operation !== failing || failures === 3) return undefined;
        failures += 1;
        return new Error("no table");
      };
      return failing === "update" ? wait(startMs + 5000) : done;
    };

    expect(await resume()).toBe(failing === "update" ? startMs + 5000 : undefined);

    expect(failures).toBe(3);
    expect(world.tried()).toEqual(["m-1"]);
    expect(await world.parked()).toEqual(left);
    expect((await world.stateOf())?.head?.progress.deaths ?? 0).toBe(0);
  });
});
