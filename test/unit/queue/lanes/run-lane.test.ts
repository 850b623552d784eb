import { beforeEach, describe, expect, it } from "vitest";
import { eventLimitMs } from "../../../../lib/queue/lanes/lane-services.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { type LaneRun, runLane } from "../../../../lib/queue/lanes/run-lane.ts";
import { burial, done, laneId, recordOf, renewWorld, startMs, ticket, wait, world } from "./lane-world.ts";

beforeEach(renewWorld);

describe("runLane", () => {
  let handled: Set<string>;

  beforeEach(() => {
    handled = new Set();
  });

  const records = [1, 2, 3].map((number) => recordOf(number));

  async function run(more: Partial<LaneRun> = {}) {
    const health = await world.health();
    world.asked.length = 0;
    const facts = { ticket, records, isInterrupted: false, parked: undefined, deadlineMs: startMs + 60_000 };
    await runLane({ ...facts, health, handled, ...more }, world.services);
  }

  it("handles a lane's events one after the other, and writes nothing", async () => {
    const story: string[] = [];
    world.attempts.answer = async ({ record }) => {
      story.push(`${record.messageId} begins`);
      await new Promise(setImmediate);
      story.push(`${record.messageId} ends`);
      return done;
    };

    await run();

    expect(story).toEqual(["m-1", "m-2", "m-3"].flatMap((id) => [`${id} begins`, `${id} ends`]));
    expect(world.attempts.seen[0]).toMatchObject({ ticket, message: { key: "key-1" }, progress: noProgress });
    expect([...handled]).toEqual(["m-1", "m-2", "m-3"]);
    expect([world.asked, world.tickets]).toEqual([[], []]);
  });

  it("parks a failed event and all behind it, untried, and reports the handled ones", async () => {
    world.attempts.answer = ({ record }) =>
      record.messageId === "m-2" ? wait(startMs + 5000, { cause: "silence" }) : done;

    await run();

    expect(world.tried()).toEqual(["m-1", "m-2"]);
    expect([...handled]).toEqual(["m-1"]);
    expect(world.attempts.seen).toMatchObject([{ isFresh: true, wasParked: false }, { isFresh: true }]);
    expect(await world.parked()).toEqual(["m-2", "m-3"]);
    expect(await world.stateOf()).toMatchObject({
      wakeAt: startMs + 5000,
      head: { sequence: recordOf(2).sequence, progress: { waits: 1, cause: "silence" } },
    });
    expect(world.tickets).toMatchObject([{ ticket, nowMs: startMs }]);
    expect((await world.health()).isInTrouble()).toBe(true);
  });

  it("dead-letters an event that cannot succeed, and continues", async () => {
    world.attempts.answer = ({ record }) => (record.messageId === "m-1" ? burial() : done);

    await run();

    expect(world.buried).toMatchObject([{ messageId: "m-1", reason: "permanent", cause: "refused" }]);
    expect([...handled]).toEqual(["m-1", "m-2", "m-3"]);
    expect(await world.stateOf()).toBeUndefined();
  });

  it("parks a lane after a crash, untried, with one crash and a ticket that is due", async () => {
    await run({ isInterrupted: true });

    expect(world.tried()).toEqual([]);
    expect([...handled]).toEqual([]);
    expect(await world.parked()).toEqual(["m-1", "m-2", "m-3"]);
    expect(await world.stateOf()).toMatchObject({
      wakeAt: startMs,
      head: {
        sequence: recordOf(1).sequence,
        progress: { ...noProgress, deaths: 1 },
        since: startMs,
        suspectsTo: recordOf(3).sequence,
      },
    });
    expect(world.tickets).toHaveLength(1);
    const names = { appId: "app-1", deliveryKey: "key-1", laneId, queueMessageId: "m-1" };
    expect(world.log).toMatchObject([{ level: "warn", fields: { ...names, outcome: "interrupted" } }]);
    expect(world.log[0]?.message).toContain("an attempt ended without a result");
  });

  it("marks the lane as possibly parked before it appends events", async () => {
    await world.services.store.park(laneId, { wakeAt: startMs, head: undefined });

    await run({ parked: { version: 0, wakeAt: startMs, head: undefined, wasTaken: true } });

    expect(world.log.filter(({ level }) => level === "debug")).toMatchObject(
      [1, 2, 3].map((number) => ({
        message: "an event waits",
        fields: { deliveryKey: `key-${number}`, queueMessageId: `m-${number}`, outcome: "waiting" },
      })),
    );
    expect(world.asked.slice(0, 2)).toEqual(["update", "put"]);
    expect((await world.health()).mayBeParked(laneId)).toBe(true);
  });

  it.each([false, true])(
    "handles the events itself if the lane was unparked meanwhile (interrupted: %s)",
    async (isInterrupted) => {
      const parked = { version: 0, wakeAt: startMs, head: undefined };

      await run({ parked, isInterrupted });

      expect(world.attempts.seen.map(({ wasParked }) => wasParked)).toEqual([true, true, true]);
      expect([...handled]).toEqual(["m-1", "m-2", "m-3"]);
      expect(await world.parked()).toEqual([]);
    },
  );

  it("parks events that it has no time for, untried and due immediately", async () => {
    world.attempts.answer = () => {
      world.time.nowMs += 1;
      return done;
    };

    await run({ deadlineMs: startMs + eventLimitMs });

    expect(world.tried()).toEqual(["m-1"]);
    expect([...handled]).toEqual(["m-1"]);
    expect(await world.parked()).toEqual(["m-2", "m-3"]);
    expect(await world.stateOf()).toEqual({
      version: 0,
      wakeAt: startMs + 1,
      since: startMs + 1,
      head: undefined,
    });
  });
});
