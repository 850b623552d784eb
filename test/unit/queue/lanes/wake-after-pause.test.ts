import { beforeEach, describe, expect, it } from "vitest";
import type { Pause } from "../../../../lib/effects/health/pause-settings.ts";
import { scheduleWake, toWaiter } from "../../../../lib/queue/lanes/holds.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { wakeAfterPause } from "../../../../lib/queue/lanes/wake-waiters.ts";
import { renewWorld, startMs, world } from "./lane-world.ts";

const app = { kind: "app" } as const;
const ticketOf = (group: string) => ({ appId: "app-1", lane: laneOf("events", group) });

beforeEach(renewWorld);

describe("wakeAfterPause", () => {
  let pause: Pause;
  let woken: string[];
  let flows: string[];

  beforeEach(async () => {
    woken = [];
    flows = [];
    pause = await world.pauses.begin("app-1", app, { by: "ann", untilMs: startMs + 60_000 });
  });

  const of = () => ({ appId: "app-1", pauseId: pause.id });
  const enter = (group: string) => world.services.holds.enter("app-1", pause.id, toWaiter(ticketOf(group)));
  const watch = (more: { deadlineMs?: number; fails?: () => boolean; failsFlow?: string } = {}) =>
    wakeAfterPause(of(), more.deadlineMs ?? world.time.nowMs + 58_000, {
      pauseStore: world.pauses,
      room: world.room,
      sendTickets: async (tickets) => {
        if (more.fails?.()) throw new Error("no queue");
        woken.push(...tickets.map(({ lane }) => lane.group));
      },
      wakeFlow: async (callbackId) => {
        if (more.failsFlow === callbackId) throw new Error("no callback");
        flows.push(callbackId);
      },
      noteWait: world.services.noteWait,
      now: world.services.now,
    });

  it("wakes nothing during the pause, and checks again after five seconds", async () => {
    await enter("g1");

    expect(await watch()).toBe(startMs + 5_000);

    expect(woken).toEqual([]);
  });

  it("wakes all lanes and flows once after the pause was ended", async () => {
    await enter("g1");
    await enter("g2");
    await world.room.enter(of(), { kind: "flow", flowId: "f", callbackId: "c", cameMs: 1 });
    await world.pauses.end("app-1", app);

    expect(await watch()).toBeUndefined();
    expect(await watch()).toBeUndefined();

    expect([woken, flows]).toEqual([["g1", "g2"], ["c"]]);
  });

  it("removes an expired pause before it wakes a lane", async () => {
    await enter("g1");
    world.time.nowMs = pause.untilMs;

    expect(await watch()).toBeUndefined();

    expect(woken).toEqual(["g1"]);
    expect(await world.pauses.read("app-1")).toEqual(new Map());
  });

  it("continues where a crashed run stopped", async () => {
    await enter("g1");
    await enter("g2");
    await world.pauses.end("app-1", app);
    await world.room.noteWatch(of(), { wokenTo: "lane events g1" });

    await watch();

    expect(woken).toEqual(["g2"]);
  });

  it("wakes lanes again whose tickets the queue refused", async () => {
    await enter("g1");
    await world.pauses.end("app-1", app);
    await expect(watch({ fails: () => true })).rejects.toThrow("no queue");

    await watch();

    expect(woken).toEqual(["g1"]);
  });

  it("wakes lanes once, and all other flows, while Lambda refuses to wake one", async () => {
    await enter("g1");
    for (const [cameMs, flowId] of ["f", "g", "h"].entries())
      await world.room.enter(of(), { kind: "flow", flowId, callbackId: `c ${flowId}`, cameMs });
    await world.pauses.end("app-1", app);
    const failsFlow = "c f";
    await expect(watch({ failsFlow })).rejects.toThrow("no callback");
    await expect(watch({ failsFlow })).rejects.toThrow("no callback");

    expect([woken, [...new Set(flows)]]).toEqual([["g1"], ["c g", "c h"]]);
    expect(await watch()).toBeUndefined();
    expect(flows).toContain("c f");
  });

  it("wakes nothing without the time to store its progress", async () => {
    await enter("g1");
    await world.pauses.end("app-1", app);

    expect(await watch({ deadlineMs: world.time.nowMs + 9_999 })).toBe(world.time.nowMs);

    expect(woken).toEqual([]);
  });

  it("renews its watch after 20 s, and not earlier", async () => {
    await watch();
    world.time.nowMs += 20_000;
    await watch();
    const quiet = await world.room.watch(of());
    world.time.nowMs += 1;
    await watch();

    expect(quiet?.seenMs).toBe(startMs);
    expect((await world.room.watch(of()))?.seenMs).toBe(startMs + 20_001);
  });

  it.each([
    ["counts, once a minute, a pause that lasts for more than an hour", "app", [0, 0, 1, 1, 2]],
    ["counts no lease, whose listener acts meanwhile", "lease", [0, 0, 0, 0, 0]],
  ] as const)("%s", async (_case, kind, expected) => {
    pause = await world.pauses.begin("app-1", { kind }, { by: "ann" });
    const counts: number[] = [];
    for (const seconds of [0, 3_600, 3_660, 3_685, 3_725]) {
      world.time.nowMs = startMs + seconds * 1_000;
      await watch();
      counts.push(world.counted.length);
    }

    expect(counts).toEqual(expected);
    expect(world.counted.slice(0, 1)).toEqual(kind === "app" ? [["LanesWaitLong", { appId: "app-1" }]] : []);
  });
});

describe("a lane that waits for the end of a pause", () => {
  let pause: Pause;

  beforeEach(async () => {
    pause = await world.pauses.begin("app-1", app, { by: "ann" });
  });

  const isWatched = () => world.services.holds.ensureWatched("app-1", pause.id);

  it("requests a watch once", async () => {
    expect([await isWatched(), await isWatched()]).toEqual([true, true]);

    expect(world.sentFor).toEqual([{ appId: "app-1", pauseId: pause.id }]);
  });

  it("requests another watch after 90 s without a sign of one", async () => {
    await isWatched();
    world.time.nowMs += 90_000;
    await isWatched();
    expect(world.sentFor).toHaveLength(1);
    world.time.nowMs += 1;

    await isWatched();

    expect(world.sentFor).toHaveLength(2);
  });

  it("detects that the pause is over, and gets a ticket", async () => {
    await world.pauses.end("app-1", app);

    expect(await isWatched()).toBe(false);
    await scheduleWake(ticketOf("g1"), pause.id, world.services);

    expect(world.sentFor).toEqual([]);
    expect(world.tickets.map(({ ticket }) => ticket.lane.group)).toEqual(["g1"]);
  });

  it("does not wait for the next pause", async () => {
    await world.pauses.end("app-1", app);
    await world.pauses.begin("app-1", app, { by: "ann" });

    expect(await isWatched()).toBe(false);
  });
});
