import { describe, expect, it } from "vitest";
import { RateBudget } from "../../../lib/chat/rate-budget.ts";

const request = {
  operation: "op",
  deadlineMs: Number.POSITIVE_INFINITY,
  isRepetition: false,
  maybeExecuted: false,
};

/** A clock and timers that only `pass` advances. */
function manualTime() {
  let nowMs = 1_000_000;
  const timers: { dueMs: number; ring: () => void }[] = [];
  return {
    now: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => void timers.push({ dueMs: nowMs + ms, ring: resolve })),
    async pass(ms: number) {
      nowMs += ms;
      for (const timer of timers.splice(0)) {
        if (timer.dueMs <= nowMs) timer.ring();
        else timers.push(timer);
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function budgetOf(limits: { limit: number; maxConcurrent?: number }) {
  const time = manualTime();
  return { time, budget: new RateBudget({ maxConcurrent: 10, ...limits, ...time }) };
}

describe("RateBudget", () => {
  it("stays closed as long as a 429 asks, then lets the whole limit start in order", async () => {
    const { time, budget } = budgetOf({ limit: 2 });
    const order: number[] = [];
    budget.close(5_000);
    for (let n = 0; n < 3; n += 1) void budget.acquire(request).then(() => order.push(n));

    await time.pass(4_999);
    const before = [...order];
    await time.pass(1);

    expect(before).toEqual([]);
    expect(order).toEqual([0, 1]);
  });

  it.each([
    ["x-rate-limit", "x-rate-limit-remaining"],
    ["x-ratelimit-limit", "x-ratelimit-remaining"],
  ])("uses the platform's numbers minus requests in flight: %s", async (limit, remaining) => {
    const { budget } = budgetOf({ limit: 10 });
    for (let n = 0; n < 4; n += 1) await budget.acquire(request);

    budget.learn(new Headers({ [limit]: "700", [remaining]: "20" }));

    expect(budget.state()).toMatchObject({ limit: 700, remaining: 17 });
  });

  it("waits for the reset the platform names when nothing is left", async () => {
    const { time, budget } = budgetOf({ limit: 10 });
    const reset = String(time.now() / 1_000 + 7);

    budget.learn(new Headers({ "x-rate-limit-remaining": "0", "x-rate-limit-reset": reset }));

    expect(budget.state().closedUntilMs).toBe(time.now() + 7_000);
  });

  it("fills up again every minute", async () => {
    const { time, budget } = budgetOf({ limit: 1 });
    await budget.acquire(request);
    let started = false;
    void budget.acquire(request).then(() => (started = true));

    await time.pass(60_000);
    budget.release();
    await time.pass(0);

    expect(started).toBe(true);
  });

  it("refuses a call whose turn would come after its deadline", async () => {
    const { time, budget } = budgetOf({ limit: 1 });
    budget.close(10_000);

    const waiting = budget.acquire({ ...request, deadlineMs: time.now() + 9_000, maybeExecuted: true });

    await expect(waiting).rejects.toMatchObject({ phase: "wait", reason: "DEADLINE", maybeExecuted: true });
  });

  it("lets an aborted call leave the queue", async () => {
    const { budget } = budgetOf({ limit: 1, maxConcurrent: 1 });
    await budget.acquire(request);
    const stop = new AbortController();
    const waiting = budget.acquire({ ...request, signal: stop.signal });

    stop.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
    expect(budget.state().waiting).toBe(0);
  });
});

describe("a closed budget", () => {
  /** Counts running sleeps. */
  function countedSleeps() {
    const time = manualTime();
    let asleep = 0;
    const sleep = async (ms: number, signal?: AbortSignal) => {
      asleep += 1;
      const woken = new Promise<void>((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
      await Promise.race([time.sleep(ms), woken]).finally(() => {
        asleep -= 1;
      });
    };
    return { ...time, sleep, asleep: () => asleep };
  }

  it("keeps no timer without waiting calls, and opens on time", async () => {
    const time = countedSleeps();
    const budget = new RateBudget({ limit: 2, maxConcurrent: 10, ...time });

    budget.close(5_000);
    const whileClosed = time.asleep();
    await time.pass(5_000);
    await budget.acquire(request);

    expect(whileClosed).toBe(0);
    expect(time.asleep()).toBe(0);
    expect(budget.state()).toMatchObject({ remaining: 1, closedUntilMs: undefined, inFlight: 1 });
  });

  it("keeps one timer until the last waiting call leaves", async () => {
    const time = countedSleeps();
    const budget = new RateBudget({ limit: 2, maxConcurrent: 10, ...time });
    const stop = new AbortController();
    budget.close(5_000);
    const waiting = [1, 2].map(() => budget.acquire({ ...request, signal: stop.signal }));
    const before = time.asleep();

    stop.abort(new Error("enough"));

    await expect(Promise.all(waiting)).rejects.toThrow("enough");
    await time.pass(0);
    expect([before, time.asleep()]).toEqual([1, 0]);
  });

  it.each([120_001, 1e12])("sends one call at a time when asked to wait %i ms", async (ms) => {
    const time = countedSleeps();
    const budget = new RateBudget({ limit: 9, maxConcurrent: 10, ...time });

    budget.close(ms);
    let started = 0;
    for (let n = 0; n < 3; n += 1) void budget.acquire(request).then(() => (started += 1));
    await time.pass(0);

    expect(started).toBe(1);
    expect(budget.state()).toMatchObject({ closedUntilMs: undefined, waiting: 2 });
  });
});
