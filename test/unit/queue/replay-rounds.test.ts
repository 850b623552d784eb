import { beforeEach, describe, expect, it } from "vitest";
import { QueueBusyError } from "../../../lib/queue/wait-for-others.ts";
import { ids, minute, queuedEvent, renewWorld, world } from "./operator-world.ts";

beforeEach(renewWorld);

/** Events that were received one after the other. */
const laneOf = (count: number) =>
  ids(count).map((key, number) => queuedEvent(key, { receivedAt: world.now() + number }));

describe("deadLetters.replay, with messages that SQS moved", () => {
  it("inserts events that the consumer dead-lettered in their place", async () => {
    const base = world.now();
    const bodies = laneOf(25);
    world.giveUp(
      "events",
      "lane-1",
      bodies.filter((_, number) => number !== 3 && number !== 17),
    );
    for (const number of [17, 3]) {
      const messageBody = bodies[number] ?? "";
      await world.bury({ messageId: `m-${number}`, messageBody, receivedAt: base + number });
    }

    await world.replay();

    expect(world.bodies("events")).toEqual(bodies);
  });

  it("sends tickets back to the parked lanes and reminders to the calls", async () => {
    const ticket = JSON.stringify({ v: 1, ticket: "parked-lane", appId: "a", source: "events", group: "g" });
    const check = JSON.stringify({ v: 1, check: "call_summary", appId: "a", receivedAt: world.now() });
    world.giveUp("parkedLanes", "lane-7", [ticket]);
    world.giveUp("calls", "lane-8", [check]);

    const report = await world.replay();

    expect(report.replayed).toBe(2);
    expect(world.inQueue("parkedLanes")).toMatchObject([{ body: ticket, lane: "lane-7" }]);
    expect(world.inQueue("calls")).toMatchObject([{ body: check, lane: "lane-8" }]);
  });

  it("reports how many messages are hidden behind those not selected", async () => {
    const eventsOf = (count: number, appId: string) =>
      ids(count, appId).map((key) => queuedEvent(key, { appId, receivedAt: world.now() }));
    world.giveUp("events", "lane-1", [...eventsOf(15, "app-1"), ...eventsOf(5, "app-2")]);

    const report = await world.replay({ selection: { appId: "app-2" } });

    expect(report).toMatchObject({ selected: 0, replayed: 0, unseen: 10 });
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("replays messages hidden behind counted ones, and leaves those moved since", async () => {
    world.giveUp("events", "lane-1", laneOf(25));
    const { ids: seen } = await world.replay({ rehearse: true });
    const counted = { ids: new Set(seen), atMs: world.now() };
    const [since = ""] = laneOf(1);
    world.giveUp("events", "lane-1", [since]);

    const report = await world.replay({ counted });

    expect(seen).toHaveLength(10);
    expect(report).toMatchObject({ selected: 25, replayed: 25, unseen: 0 });
    expect(world.bodies("deadLetters")).toEqual([since]);
  });

  it("replays the counted messages if the queue's clock is ahead", async () => {
    world.giveUp("events", "lane-1", laneOf(12));
    const atMs = world.now() - 5 * minute;
    const { ids: seen } = await world.replay({ rehearse: true });

    const report = await world.replay({ counted: { ids: new Set(seen), atMs } });

    expect(report).toMatchObject({ selected: 10, replayed: 10 });
    expect(world.inQueue("deadLetters")).toHaveLength(2);
  });

  it("does not replay an event again that was dead-lettered again meanwhile", async () => {
    world.giveUp("events", "lane-1", [queuedEvent("k", { receivedAt: world.now() })]);
    let burials = 0;

    const report = await world.replay({}, (target) => {
      if (target.endsWith("DeleteMessage")) void world.bury({ messageId: `again-${++burials}` });
      return "answered";
    });

    expect(report.replayed).toBe(1);
    expect(world.inQueue("deadLetters")).toHaveLength(1);
  });
});

it("deadLetters.replay continues in rounds beyond its limit as long as a round replays something", async () => {
  await world.buryAll(ids(55), (id) => ({ appId: /[05]$/.test(id) ? "app-2" : "app-1" }));

  const report = await world.replay({ selection: { appId: "app-2" }, most: 30 });
  const rest = await world.replay({ selection: { appId: "app-2" }, most: 50 });

  expect(report.failure).toBeUndefined();
  expect(report.replayed).toBeGreaterThan(6);
  expect(report.unseen).toBeGreaterThan(0);
  expect(report.replayed + rest.replayed).toBe(11);
  expect(rest.unseen).toBe(0);
  expect(world.isUntouched("deadLetters")).toBe(true);
});

describe("deadLetters.replay, when it fails, is blocked or is aborted", () => {
  it("ends at the first failure, reports it, and leaves the rest for the next run", async () => {
    await world.buryAll(ids(15));

    const failed = await world.replay({}, (target, input) =>
      target.endsWith("SendMessage") && input.includes("m-7") ? "not arrived" : "answered",
    );
    const next = await world.replay();

    expect(failed).toMatchObject({ replayable: 15, replayed: 7 });
    expect(failed.failure).toContain("SendMessage failed");
    expect(next).toMatchObject({ replayable: 8, replayed: 8, failure: undefined });
    expect(world.bodies("events")).toEqual(ids(15));
  });

  it("waits while another reader holds messages, and fails after three minutes", async () => {
    await world.buryAll(ids(3));
    const take = (ms: number) => world.queueOf("deadLetters").receive({ max: 1, visibilityTimeoutMs: ms });
    const before = world.now();

    take(20 * minute);
    const error = await world.replay().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(QueueBusyError);
    expect(error).toMatchObject({
      name: "QueueBusyError",
      message: expect.stringContaining("Another reader holds about 1 message of the queue"),
    });
    expect(error).toMatchObject({
      message: expect.stringContaining("interrupted. Held messages are released"),
    });
    expect(error).toMatchObject({ message: expect.stringContaining("automatically, within 3 min at most.") });
    expect(world.now() - before).toBeGreaterThan(3 * minute);
    expect(world.bodies("events")).toEqual([]);

    world.pass(18 * minute);
    expect((await world.replay()).replayed).toBe(3);
  });

  it("makes a dry run while another reader holds messages", async () => {
    await world.buryAll(ids(3));
    world.queueOf("deadLetters").receive({ max: 1, visibilityTimeoutMs: 20 * minute });

    const report = await world.replay({ rehearse: true });

    expect(report).toMatchObject({ replayable: 2, unseen: 1 });
  });

  it("stops when it is aborted, and returns its messages to the queue", async () => {
    await world.buryAll(ids(5));
    const stop = new AbortController();
    let sent = 0;

    const report = await world.replay({ signal: stop.signal }, (target) => {
      if (target.endsWith("SendMessage") && ++sent === 2)
        stop.abort(new Error("The operator pressed Ctrl-C."));
      return "answered";
    });

    expect(report).toMatchObject({ replayed: 2, failure: expect.stringMatching(/^Error at /) });
    expect(world.inQueue("deadLetters")).toHaveLength(3);
    expect(world.isUntouched("deadLetters")).toBe(true);
    await expect(world.replay({ signal: stop.signal })).rejects.toThrow("Ctrl-C");
  });

  it("sends no message that another reader may hold by now", async () => {
    await world.buryAll(ids(5));
    let deleted = 0;

    const report = await world.replay({}, (target) => {
      // The messages are held for two minutes; near the end, no request begins.
      if (target.endsWith("DeleteMessage") && ++deleted === 2) world.pass(115_000);
      return "answered";
    });

    expect(report.replayed).toBe(2);
    expect(report.failure).toMatch(/^HoldOverError.*Run it again for the rest\.$/);
    expect(world.inQueue("events")).toHaveLength(2);
    expect((await world.replay()).failure).toBeUndefined();
    expect(world.inQueue("events")).toHaveLength(5);
  });

  it("sends nothing in the millisecond in which its hold ends", async () => {
    await world.buryAll(ids(2));
    let heldUntil = 0;

    const report = await world.replay({}, (target) => {
      if (target.endsWith("ReceiveMessage") && heldUntil === 0) heldUntil = world.now() + 111_000;
      // A request itself takes 5 ms.
      if (target.endsWith("DeleteMessage")) world.pass(heldUntil - 5 - world.now());
      return "answered";
    });

    expect(report.replayed).toBe(1);
  });
});

describe("deadLetters.replay, while it reads", () => {
  /** Replays, and returns the seconds that each receive request waits. */
  async function waitsOf() {
    const waits: unknown[] = [];
    const report = await world.replay({}, (target, input) => {
      if (target.endsWith("ReceiveMessage")) waits.push(JSON.parse(input).WaitTimeSeconds);
      return "answered";
    });
    return { waits, report };
  }

  it("waits for more while batches are full, but not if the queue counts no messages", async () => {
    await world.buryAll(ids(12), (group) => ({ group }));

    expect((await waitsOf()).waits).toEqual([1, 1, 0]);
  });

  it("waits in later rounds only if the queue counts messages", async () => {
    world.giveUp("events", "lane-1", laneOf(25));

    const { waits, report } = await waitsOf();

    expect(report.replayed).toBe(25);
    expect(waits).toEqual([1, 1, 1, 1, 1, 0, 0]);
  });

  it("holds at most the given number of messages", async () => {
    await world.buryAll(ids(25), (group) => ({ group }));
    let mostHeld = 0;

    const report = await world.replay({ most: 10 }, () => {
      mostHeld = Math.max(mostHeld, world.queueOf("deadLetters").depth().inFlight);
      return "answered";
    });

    expect(report.replayed).toBe(25);
    expect(mostHeld).toBe(10);
  });

  it("holds messages for the time that its maximum number may take", async () => {
    await world.buryAll(ids(25));
    const holds: unknown[] = [];
    const note = (target: string, input: string) => {
      if (target.endsWith("ReceiveMessage")) holds.push(JSON.parse(input).VisibilityTimeout);
      return "answered" as const;
    };

    await world.replay({ most: 10, selection: { appId: "no such" } }, note);
    await world.replay({ selection: { appId: "no such" } }, note);

    expect([...new Set(holds)]).toEqual([122, 125]);
  });

  it("reports each message that it read and each that it sent", async () => {
    await world.buryAll(ids(2));
    const seen: unknown[] = [];

    await world.replay({ onProgress: (progress) => seen.push(progress) });

    expect(seen).toEqual([
      { looked: 1, done: 0 },
      { looked: 2, done: 0 },
      { looked: 2, done: 1 },
      { looked: 2, done: 2 },
    ]);
  });
});
