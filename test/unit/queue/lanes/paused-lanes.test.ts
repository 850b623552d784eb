import { beforeEach, describe, expect, it } from "vitest";
import type { AppHealth } from "../../../../lib/effects/health/app-health.ts";
import type { PauseTarget } from "../../../../lib/effects/health/pause-settings.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { eventLimitMs } from "../../../../lib/queue/lanes/lane-services.ts";
import { maxTries, noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { runLane } from "../../../../lib/queue/lanes/run-lane.ts";
import type { Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { createTriggerLanes } from "../../../../lib/queue/lanes/trigger-lanes.ts";
import { done, hourMs, laneId, recordOf, renewWorld, startMs, ticket, wait, world } from "./lane-world.ts";

const app = { kind: "app" } as const;
const reply = { kind: "trigger", name: "auto-reply" } as const;
const besideTicket: Ticket = { appId: "app-1", lane: laneOf("events", "lane-1", "auto-reply") };

beforeEach(renewWorld);

describe("a lane of a paused app", () => {
  const pause = (target: PauseTarget = app) => world.pauses.begin("app-1", target, { by: "ann" });
  const run = async (numbers: readonly number[], isInterrupted = false, health?: AppHealth) =>
    runLane(
      {
        ticket,
        records: numbers.map((number) => recordOf(number)),
        isInterrupted,
        parked: await world.stateOf(),
        health: health ?? (await world.health()),
        deadlineMs: world.time.nowMs + 10 * eventLimitMs,
        handled: new Set(),
      },
      world.services,
    );
  const waiting = async (pauseId: string) =>
    (await world.room.waiters({ appId: "app-1", pauseId }, undefined, 100)).map(({ key }) => key);

  it("stores its events in order, untried and without a ticket, and waits to be woken", async () => {
    const { id } = await pause();

    await run([1, 2]);
    await run([3]);

    expect(await world.ids()).toEqual({ tried: [], parked: ["m-1", "m-2", "m-3"] });
    expect(await waiting(id)).toEqual([`lane ${laneId}`]);
    expect(await world.stateOf()).toMatchObject({ heldBy: id });
    expect([world.tickets, world.sentFor.length]).toEqual([[], 1]);
  });

  it("costs two writes for each further event", async () => {
    await pause();
    await run([1]);
    world.asked.length = 0;

    await run([2]);

    const writes = world.asked.filter((operation) => operation === "put" || operation === "update");
    expect(writes).toEqual(["put", "update"]);
  });

  it("enters the waiting room again if a process may have crashed before its waking was ensured", async () => {
    const { id } = await pause();
    await run([1]);
    world.sentFor.length = 0;
    world.time.nowMs += 91_000;

    await run([2], true);

    expect(await world.room.waiters({ appId: "app-1", pauseId: id }, undefined, 9)).toMatchObject([
      { enteredMs: startMs + 91_000 },
    ]);
    expect(world.sentFor).toHaveLength(1);
  });

  it("gets a ticket if the pause ended while it was parked", async () => {
    await pause();
    const before = await world.health();
    await world.pauses.end("app-1", app);

    await run([1], false, before);

    expect(world.tried()).toEqual([]);
    expect(world.tickets).toHaveLength(1);
  });

  it("drops its ticket and waits for the end of the pause", async () => {
    await world.putParked([1]);
    const { id } = await pause();

    expect(await world.resume()).toBeUndefined();

    expect(world.tried()).toEqual([]);
    expect(await waiting(id)).toEqual([`lane ${laneId}`]);
  });

  it("continues after the pause with a new maximum wait", async () => {
    world.attempts.answer = () => wait(startMs);
    await run([1, 2]);
    world.attempts.seen.length = 0;
    await pause();
    await world.resume();
    await world.pauses.end("app-1", app);
    world.time.nowMs += 30 * hourMs;
    world.attempts.answer = () => wait(world.time.nowMs + 5_000);

    await world.resume();

    expect(world.attempts.seen).toMatchObject([{ since: startMs + 30 * hourMs }]);
    expect((await world.stateOf())?.heldBy).toBeUndefined();
  });

  it("stops between two events if the pause begins while it runs", async () => {
    await world.putParked([1, 2]);
    world.attempts.answer = async () => {
      await pause();
      world.time.nowMs += 5_001;
      return done;
    };

    expect(await world.resume()).toBe(startMs + 5_001);

    expect(await world.ids()).toEqual({ tried: ["m-1"], parked: ["m-2"] });
  });

  it("runs only for the holder of the lease", async () => {
    const { id } = await pause({ kind: "lease" });
    await run([1]);

    await world.resume(ticket, undefined, "another");
    expect(world.tried()).toEqual([]);
    await world.resume(ticket, undefined, id);

    expect(world.tried()).toEqual(["m-1"]);
  });

  it("returns to the deployment after the lease ended", async () => {
    const { id } = await pause({ kind: "lease" });
    await run([1]);
    await world.pauses.end("app-1", { kind: "lease" });

    await world.resume({ ...ticket, lease: id }, undefined, id);

    expect(world.tried()).toEqual([]);
    expect(world.tickets.map((sent) => sent.ticket)).toEqual([ticket]);
    await world.resume();
    expect(world.tried()).toEqual(["m-1"]);
  });

  describe("with a paused trigger", () => {
    const appendIfWaiting = async (number: number, more: { deaths?: number } = {}) =>
      createTriggerLanes({ ...world.services, triggerNames: [] }).appendIfWaiting(
        {
          record: recordOf(number),
          ticket,
          message: undefined,
          progress: { ...noProgress, ...more },
          health: await world.health(),
          since: 0,
          laneSince: 0,
          maxTries,
          isFresh: true,
        },
        "auto-reply",
        ["message_sent welcome"],
      );

    it("keeps the trigger's events in a separate lane, which the end of the pause wakes", async () => {
      const { id } = await pause(reply);

      expect([await appendIfWaiting(1), await appendIfWaiting(2)]).toEqual([
        { kind: "paused" },
        { kind: "paused" },
      ]);

      expect(await world.parked(besideTicket.lane.id)).toEqual(["m-1", "m-2"]);
      expect(await waiting(id)).toEqual([`lane ${laneId} auto-reply`]);
      expect(await world.stateOf()).toBeUndefined();
    });

    it("appends events after the pause to those that waited, until the trigger's lane has caught up", async () => {
      await pause(reply);
      await appendIfWaiting(1);
      await world.pauses.end("app-1", reply);

      expect(await appendIfWaiting(2)).toEqual({ kind: "behind", cause: undefined });
      await world.resume(besideTicket);
      expect(await appendIfWaiting(3)).toBeUndefined();

      expect(world.tried()).toEqual(["m-1", "m-2"]);
      expect(world.attempts.seen[0]).toMatchObject({ record: { finished: ["message_sent welcome"] } });
    });

    it("lets a trigger act that is not paused, without another read", async () => {
      await world.health();
      world.asked.length = 0;

      expect(await appendIfWaiting(1)).toBeUndefined();

      // The health of the attempt.
      expect(world.asked).toEqual(["query"]);
    });

    it("ensures its waking again if a process may have crashed", async () => {
      await pause(reply);
      await appendIfWaiting(1);
      world.sentFor.length = 0;
      world.time.nowMs += 91_000;

      await appendIfWaiting(1, { deaths: 1 });

      expect(world.sentFor).toHaveLength(1);
      expect(await world.parked(besideTicket.lane.id)).toEqual(["m-1"]);
    });
  });
});
