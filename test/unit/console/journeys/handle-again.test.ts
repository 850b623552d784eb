import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { outcomeFields } from "../../../../lib/effects/outcomes.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { QueueBusyError } from "../../../../lib/queue/wait-for-others.ts";
import type { QueuedMessage } from "../../../../local/cloud/sqs-endpoint.ts";
import { findPlace, handleAgain } from "../../../../local/console/journeys/handle-again.ts";
import type { Journey } from "../../../../local/console/journeys/journey.ts";
import { createQueueReader } from "../../../../local/console/queues/look-at-queue.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { createJournalWorld, startMs } from "./journal-world.ts";

const days = 24 * 60 * 60_000;

/** A world whose deliveries an operator handles again, recording the operator's requests to AWS. */
function createRepair(
  given: { nowMs?: number; fails?: Error; queued?: QueuedMessage[]; letters?: QueuedMessage[] } = {},
) {
  const { nowMs = startMs, fails, queued = [], letters = [] } = given;
  const lanes = createMemoryTable("lane", "item");
  const world = createJournalWorld();
  const { store } = world.journal;
  const asked: string[] = [];
  const callAws = async ({ target = "" }: AwsCall) => {
    asked.push(target);
    if (fails !== undefined) throw fails;
    return {};
  };
  const url = "http://127.0.0.1/000000000000/queue";
  const queueUrls = { events: url, calls: url, parkedLanes: url, deadLetters: url, quarantine: url };
  const operator = {
    services: { callAws, queueUrls, now: () => nowMs, sleep: async () => {}, token: () => "token" },
    tableOf: () => lanes,
    hasten: () => 0,
  };
  const receiveAll = (queue: string) =>
    queue === "EventsQueue" ? [...queued] : queue === "DeadLetterQueue" ? [...letters] : [];
  const reader = createQueueReader({ receiveAll });
  const journeyOf = (id: string): Journey => {
    const journey = store.journeys.get(id);
    if (journey === undefined) throw new Error(`There is no journey ${id}.`);
    return journey;
  };
  return {
    world,
    asked,
    lanes,
    journeyOf,
    again: (id: string) => handleAgain(journeyOf(id), world.bodyOf(id.slice(1)), { reader, store }, operator),
    placeOf: (id: string) => findPlace(journeyOf(id), reader, operator),
  };
}

function copyOf(key: string): QueuedMessage {
  const body = JSON.stringify({ appId: "app-1", trigger: "message_sent", key, receivedAt: startMs });
  const times = { sentAtMs: startMs, visibleAtMs: startMs, delayedUntilMs: startMs };
  return {
    messageId: "l-1",
    groupId: undefined,
    body,
    attributes: {},
    ...times,
    receiveCount: 0,
    state: "visible",
  };
}

describe("an event that is handled again", () => {
  it("is sent to the queue once handled, even if its conversation may be parked by another event", async () => {
    const { world, asked, again } = createRepair();
    world.deliver("1");
    world.line("q-1", "handled an event");

    const told = await again("d1");

    expect(told).toContain("to the queue again");
    expect(asked).toEqual(["AmazonSQS.SendMessage"]);
  });

  it("is not sent again while it is being handled", async () => {
    const { world, asked, again } = createRepair();
    world.deliver("1");
    world.line("q-1", "began an event");

    expect(await again("d1")).toBe("It is being handled now.");
    expect(asked).toEqual([]);
  });

  it.each([
    ["does not wake its conversation while an earlier event is being handled", true, []],
    ["wakes its conversation if the earlier event waits", false, ["AmazonSQS.SendMessage"]],
  ])("%s", async (_, isHandled, calls) => {
    const { world, asked, again, lanes, journeyOf } = createRepair();
    for (const id of ["1", "2"]) world.deliver(id);
    for (const id of ["1", "2"]) world.line(`q-${id}`, "an event waits", outcomeFields("waiting"));
    if (isHandled) world.line("q-1", "began an event", {}, "consumer-2");
    const [message] = journeyOf("d2").messages;
    const { id: lane } = laneOf("events", message?.groupId ?? "");
    const store = createLaneStore(lanes, () => startMs);
    await store.park(lane, { wakeAt: startMs, since: startMs, heldBy: undefined, head: undefined });
    for (const id of ["1", "2"])
      await store.append(lane, { messageId: `q-${id}`, messageBody: "{}", sequence: id.padStart(40, "0") });

    const told = await again("d2");

    expect([told === "It is being handled now.", asked]).toEqual([isHandled, calls]);
  });

  it("is not sent again while a copy is in a queue, even if the page shows none", async () => {
    const { world, asked, again } = createRepair({ queued: [copyOf("app-1|message_sent|1")] });
    world.deliver("1");
    world.line("q-1", "handled an event");

    expect(await again("d1")).toBe("It is being handled now.");
    expect(asked).toEqual([]);
  });

  it("is refused more than 30 days after it was received", async () => {
    const { world, asked, again } = createRepair({ nowMs: startMs + 31 * days });
    world.deliver("1");
    world.line("q-1", "moved an event to the dead-letter queue", { reason: "permanent", cause: "no" });

    await expect(again("d1")).rejects.toThrow("more than 30 days ago");
    expect(asked).toEqual([]);
  });

  it("is refused with a message while dead letters are in use", async () => {
    const { world, again } = createRepair({
      fails: new QueueBusyError(3, 120_000),
      letters: [copyOf("app-1|message_sent|1")],
    });
    world.deliver("1");
    world.line("q-1", "moved an event to the dead-letter queue", { reason: "permanent", cause: "no" });

    await expect(again("d1")).rejects.toMatchObject({
      name: "WrongInputError",
      message: expect.stringContaining("Nothing was changed"),
    });
  });
});

describe("an event that was too old for a trigger", () => {
  it("is shown as a dead letter while its letter exists", async () => {
    const letters: QueuedMessage[] = [];
    const { world, placeOf } = createRepair({ letters });
    world.deliver("1");
    world.line("q-1", "ended a trigger", { step: "message_sent greet", ...outcomeFields("too-old") });
    world.line("q-1", "handled an event");
    const before = await placeOf("d1");

    letters.push(copyOf("app-1|message_sent|1"));

    expect([before, await placeOf("d1")]).toMatchObject([undefined, { kind: "dead-letter" }]);
  });
});

describe("a quarantined delivery", () => {
  it("is not shown in quarantine after it was dropped", async () => {
    const { world, placeOf } = createRepair();
    const body = world.bodyOf("1");
    world.queued(body);
    world.sent(body, "q-1", "invocation-1", "quarantine");
    world.exchanged(body, { port: 1, invocation: "invocation-1" });
    world.attempted(1, { port: 1 });

    const place = await placeOf("d1");

    expect(world.list().rows[0]?.title).toBe("quarantined");
    expect(place).toBeUndefined();
  });
});
