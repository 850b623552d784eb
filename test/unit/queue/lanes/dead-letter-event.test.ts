import { beforeEach, describe, expect, it } from "vitest";
import { deadLetterEvent, heldBackUntil } from "../../../../lib/queue/lanes/dead-letter-event.ts";
import type { LaneRecord } from "../../../../lib/queue/lanes/lane-record.ts";
import type { Attempt, DeadLetterReason } from "../../../../lib/queue/lanes/lane-services.ts";
import { maxTries, noProgress, type Progress } from "../../../../lib/queue/lanes/progress.ts";
import { hourMs, laneId, maxWaitMs, recordOf, renewWorld, startMs, ticket, world } from "./lane-world.ts";

beforeEach(renewWorld);

describe("deadLetterEvent", () => {
  async function bury({
    reason = "tries",
    record: facts,
    progress: known,
    ...more
  }: {
    reason?: DeadLetterReason;
    progress?: Partial<Progress>;
    record?: Partial<LaneRecord>;
    message?: unknown;
    laneSince?: number;
  } = {}) {
    const record = recordOf(1, facts);
    const progress: Progress = { ...noProgress, ...known };
    const message: unknown = JSON.parse(record.messageBody);
    const health = await world.health();
    const attempt: Attempt = {
      record,
      ticket,
      message,
      progress,
      health,
      since: startMs,
      laneSince: 0,
      maxTries,
      ...more,
    };
    const wakeAt = await heldBackUntil(attempt, reason, world.services);
    if (wakeAt === undefined)
      await deadLetterEvent(
        attempt,
        { kind: "dead-letter", reason, cause: "a bug", progress },
        world.services,
      );
    return wakeAt;
  }

  it("sends the message unchanged, with all that is known of it, and logs it", async () => {
    const progress = { deaths: 1, tries: { a: 2, b: 4 }, finished: ["c"] };

    expect(await bury({ progress })).toBeUndefined();

    expect(world.buried).toEqual([
      {
        messageId: "m-1",
        messageBody: recordOf(1).messageBody,
        source: "events",
        group: "lane-1",
        appId: "app-1",
        trigger: "message_sent",
        receivedAt: startMs,
        reason: "tries",
        cause: "a bug",
        tries: 5,
        finished: ["c"],
      },
    ]);
    expect(world.log).toMatchObject([
      {
        level: "error",
        message: "moved an event to the dead-letter queue",
        fields: {
          appId: "app-1",
          trigger: "message_sent",
          deliveryKey: "key-1",
          queueMessageId: "m-1",
          reason: "tries",
          tries: 5,
          cause: "a bug",
        },
      },
    ]);
  });

  it("counts crashes as tries if no step was tried", async () => {
    await bury({ reason: "deaths", progress: { deaths: 5 } });

    expect(world.buried).toMatchObject([{ tries: 5 }]);
  });

  it("dead-letters a message of another system as well", async () => {
    await bury({ message: undefined });

    expect(world.buried).toMatchObject([{ appId: "", trigger: "", receivedAt: startMs }]);
  });

  it("rethrows the queue's error", async () => {
    world.faults.bury = new Error("no queue");

    await expect(bury()).rejects.toThrow("no queue");
    expect(world.log).toEqual([]);
  });

  it("holds the event back for 15 minutes if too many are dead-lettered", async () => {
    await world.stopDeadLetters();

    expect(await bury()).toBe(startMs + 900_000);

    expect(world.buried).toEqual([]);
    expect(world.log).toMatchObject([{ level: "warn", fields: { appId: "app-1", queueMessageId: "m-1" } }]);
    expect(world.log[0]?.message).toContain("held an event back");
  });

  it.each(["permanent", "tries", "deaths"] as const)(
    "counts a dead letter whose event is at fault: %s",
    async (reason) => {
      await bury({ reason });

      expect((await world.healthStore.read("app-1")).deadLetters).toMatchObject([{ lane: laneId, count: 1 }]);
    },
  );

  it.each(["patience", "too-old"] as const)(
    "dead-letters at any time, without counting it: %s",
    async (reason) => {
      await world.stopDeadLetters();
      const before = await world.healthStore.read("app-1");

      await bury({ reason });

      expect(world.buried).toMatchObject([{ reason }]);
      expect(await world.healthStore.read("app-1")).toEqual(before);
    },
  );

  it.each([
    ["is held back until the longest wait ends", {}, maxWaitMs - 1, 0],
    ["is dead-lettered when the longest wait ends", {}, maxWaitMs, 1],
    [
      "waits as long again after a replay",
      { record: { replayedAt: startMs + hourMs } },
      maxWaitMs + hourMs - 1,
      0,
    ],
    [
      "is dead-lettered when the wait after a replay ends",
      { record: { replayedAt: startMs + hourMs } },
      maxWaitMs + hourMs,
      1,
    ],
    [
      "waits from the time its lane began to wait",
      { laneSince: startMs + hourMs },
      maxWaitMs + hourMs - 1,
      0,
    ],
    ["is dead-lettered when the lane's wait ends", { laneSince: startMs + hourMs }, maxWaitMs + hourMs, 1],
  ])("an event %s", async (_case, more, passedMs, count) => {
    world.time.nowMs = startMs + passedMs;
    await world.stopDeadLetters();

    await bury(more);

    expect(world.buried).toHaveLength(count);
  });
});
