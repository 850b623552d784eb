import { describe, expect, it } from "vitest";
import { onTrigger, type RunContext } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { type AttemptOptions, body, createAttemptWorld, reply, startMs } from "./attempt-world.ts";

const everythingElse = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe("an event's time", () => {
  it("ends a hanging handler after 30 s, and counts a try", async () => {
    const world = createAttemptWorld({ hangs: onTrigger("message_sent", () => new Promise(() => {})) });

    const outcome = await world.attemptInTime(body, { laneOfTrigger: "hangs" });

    expect(world.now()).toBe(startMs + 30_000);
    expect(outcome).toMatchObject({
      kind: "wait",
      wakeAt: startMs + 35_000,
      progress: {
        tries: { "message_sent hangs": 1 },
        pending: {},
        cause:
          "EventTimeUpError: It did not end within 30 s. Await less, or give what it awaits a time limit.",
      },
    });
    expect(world.log).toMatchObject([
      { level: "warn", fields: { trigger: "message_sent", step: "message_sent hangs", failure: "ours" } },
    ]);
  });

  it("ends early if the event is handled sooner", async () => {
    const world = createAttemptWorld({ quick: onTrigger("message_sent", async () => {}) });

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    // A timer that is left would let time jump.
    await world.time.passUntil(everythingElse());
    expect(world.now()).toBe(startMs);
  });

  it("blames the destination that a handler waited for, and counts no try", async () => {
    const world = createAttemptWorld({
      waits: onTrigger("message_sent", async ({ chat }) => {
        await chat.users.get("ann");
      }),
    });
    world.platform.answer = () => new Promise(() => {});

    const outcome = await world.attemptInTime(body);

    expect(outcome).toMatchObject({
      kind: "wait",
      progress: {
        tries: {},
        pending: { "message_sent waits": { destination: expect.stringMatching(/ read$/) } },
        cause: expect.stringContaining(" read, which does not answer in time."),
      },
    });
  });

  it("ends the reading of an event, too", async () => {
    const calls = { note: () => new Promise<never>(() => {}), summarise: () => new Promise<never>(() => {}) };
    const world = createAttemptWorld({}, { calls });

    expect(await world.attemptInTime(body)).toMatchObject({
      kind: "wait",
      progress: { tries: { reading: 1 } },
    });
    expect(world.log).toMatchObject([{ fields: { trigger: "message_sent", step: "reading" } }]);
  });

  it("refuses what a timed-out handler still begins, and starts no later trigger", async () => {
    const gate = Promise.withResolvers<void>();
    const refusals: unknown[] = [];
    const refused = (error: unknown) => void refusals.push(error);
    const runs: string[] = [];
    const world = createAttemptWorld({
      late: onTrigger("message_sent", async ({ effects, chat }) => {
        await gate.promise;
        await effects.sendText("reply", reply).catch(refused);
        await effects.once("other", async () => 1).catch(refused);
        await chat.users.get("ann").catch(refused);
      }),
      next: onTrigger("message_sent", async () => void runs.push("next")),
    });

    const outcome = await world.attemptInTime(body);
    gate.resolve();
    await everythingElse();

    expect(refusals).toMatchObject(Array(3).fill({ name: "EventEndedError" }));
    expect([world.requests, runs]).toEqual([[], []]);
    // The next trigger runs immediately, and the hanging one in a separate lane.
    expect(outcome).toMatchObject({
      kind: "wait",
      wakeAt: world.now(),
      progress: { finished: ["message_sent late"], tries: {} },
    });
    expect(await world.beside("late")).toHaveLength(1);
  });

  it("neither counts nor logs an error that a timed-out handler throws", async () => {
    const gate = Promise.withResolvers<void>();
    const world = createAttemptWorld({
      late: onTrigger("message_sent", async () => {
        await gate.promise;
        throw new Error("too late");
      }),
    });

    const outcome = await world.attemptInTime(body, { laneOfTrigger: "late" });
    gate.resolve();
    await everythingElse();

    expect(outcome).toMatchObject({ progress: { tries: { "message_sent late": 1 } } });
    expect(world.log).toHaveLength(1);
  });

  it("aborts a running request when the event's time ends", async () => {
    const reasons: unknown[] = [];
    const world = createAttemptWorld({
      waits: onTrigger("message_sent", async ({ effects }) => {
        await effects.sendText("reply", reply).catch((error: unknown) => reasons.push(error));
      }),
    });
    world.platform.answer = () => new Promise(() => {});

    await world.attemptInTime(body);
    await everythingElse();

    expect(reasons).toMatchObject([{ name: "EventEndedError" }]);
  });

  it.each([
    ["starts effects until 2 s are left, to store the event's outcome", 27_999, 1],
    ["starts no effect after that", 28_000, 0],
  ])("%s", async (_case, sinceMs, count) => {
    let done = 0;
    const world = createAttemptWorld({
      slow: onTrigger("message_sent", async ({ effects }) => {
        await world.time.sleep(sinceMs);
        await effects.once("thing", async () => ++done);
      }),
    });

    await world.attemptInTime(body);

    expect(done).toBe(count);
  });

  describe("for a trigger that recently hung in another conversation", () => {
    const hang = () => new Promise<void>(() => {});

    async function playAfterHang(
      tookMs: number,
      {
        next = hang,
        returnsLate = false,
        ...options
      }: AttemptOptions & {
        next?: (run: Pick<RunContext, "chat">) => Promise<unknown>;
        returnsLate?: boolean;
      } = {},
    ) {
      const late = Promise.withResolvers<void>();
      let run: typeof next = () => world.time.sleep(tookMs);
      const signals: AbortSignal[] = [];
      const own = onTrigger("message_sent", async (context) => {
        signals.push(context.signal);
        await run(context);
      });
      const world = createAttemptWorld({ own, other: onTrigger("message_sent", async () => {}) });
      for (let count = 0; count < 10; count += 1) await world.attemptInTime(body);
      run = returnsLate ? () => late.promise : hang;
      await world.attemptInTime(body);
      world.pass(returnsLate ? 20_000 : 0);
      late.resolve();
      await everythingElse();
      run = next;
      world.platform.answer = () => new Promise(() => {});
      const begunAt = world.now();
      const outcome = await world.attemptInTime(body, { group: "another", ...options });
      return { world, outcome, tookMs: world.now() - begunAt, signals };
    }

    it("does not grow when the timed-out run returns later", async () => {
      const { tookMs } = await playAfterHang(0, { returnsLate: true });

      expect(tookMs).toBe(3_000);
    });

    it.each([
      ["3 s in a conversation's lane", 0, 3_000],
      ["four times as long as its slowest run", 2_000, 8_000],
      ["as long as the event's if its runs are slow", 8_000, 30_000],
    ])("is %s", async (_what, slowestMs, limitMs) => {
      const { outcome, tookMs, signals } = await playAfterHang(slowestMs);

      expect(tookMs).toBe(limitMs);
      expect(signals.at(-1)?.aborted).toBe(true);
      expect(outcome).toMatchObject({ kind: limitMs < 30_000 ? "done" : "wait" });
    });

    it("is 10 s before ten of its runs ended; events that fail its conditions do not count", async () => {
      const world = createAttemptWorld({
        own: onTrigger("message_sent", { where: { text: { words: ["go"] } } }, hang),
      });
      const go = events.messageSent({ id: "2", text: "go", sender: "ann", receiver: "bela" });
      for (let count = 0; count < 10; count += 1) await world.attempt(body);
      await world.attemptInTime(go);
      const begunAt = world.now();

      await world.attemptInTime(go, { group: "another" });

      expect(world.now() - begunAt).toBe(10_000);
    });

    it.each([
      ["10 s in a process that only knows of another's", 9, 10_000],
      ["an event's whole time if that hung ten minutes before", 10, 30_000],
    ])("is %s", async (_what, minutes, limitMs) => {
      const world = createAttemptWorld({ own: onTrigger("message_sent", hang) });
      await world.healthStore.noteBad("app-1", "trigger own", "lane-1", startMs - minutes * 60_000);

      await world.attemptInTime(body, { group: "another" });

      expect(world.now() - startMs).toBe(limitMs);
    });

    it("does not count as a hang in a process that only knows of another's: it may be slow", async () => {
      const world = createAttemptWorld({ own: onTrigger("message_sent", hang) });
      await world.healthStore.noteBad("app-1", "trigger own", "lane-1", startMs);

      await world.attemptInTime(body, { group: "another" });

      const { destinations } = await world.healthStore.read("app-1");
      expect(destinations.get("trigger own")).toMatchObject({ bad: 1, streakLanes: ["lane-1"] });
    });

    it("is an event's whole time in its own lane", async () => {
      const { tookMs } = await playAfterHang(0, { laneOfTrigger: "own" });

      expect(tookMs).toBe(30_000);
    });

    it("is an event's whole time while it waits for a host", async () => {
      const { tookMs } = await playAfterHang(0, { next: ({ chat }) => chat.users.get("ann") });

      expect(tookMs).toBeGreaterThan(3_000);
    });

    it("is an event's whole time again ten minutes later", async () => {
      const { world } = await playAfterHang(0);
      world.pass(600_000);
      const begunAt = world.now();

      await world.attemptInTime(body, { group: "a third" });

      expect(world.now() - begunAt).toBe(30_000);
    });
  });

  it("starts no trigger once the time for effects is over, and counts no try of it", async () => {
    const runs: string[] = [];
    const world = createAttemptWorld({
      slow: onTrigger("message_sent", () => world.time.sleep(28_000)),
      next: onTrigger("message_sent", async () => void runs.push("next")),
    });

    const outcome = await world.attemptInTime(body);

    expect(runs).toEqual([]);
    expect(outcome).toMatchObject({
      kind: "wait",
      progress: {
        finished: ["message_sent slow"],
        tries: {},
        cause: "An earlier step took the event's time.",
      },
    });
  });
});
