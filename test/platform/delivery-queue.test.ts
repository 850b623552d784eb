import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import type { Delivery } from "../../local/platform/store/webhooks.ts";
import { DeliveryQueue } from "../../local/platform/webhooks/queue.ts";

describe("DeliveryQueue", () => {
  it("starts all of a healthy receiver in parallel with ten that never answer", async () => {
    const { queue, started, finish } = makeQueue({ maxConcurrent: 2 });
    for (let silent = 0; silent < 10; silent += 1) {
      for (let number = 0; number < 100; number += 1) queue.add(delivery(`silent-${silent}`));
    }

    const healthy = Array.from({ length: 5 }, () => delivery("healthy"));
    for (const item of healthy) queue.add(item);
    for (const item of healthy) {
      await nextTurn();
      finish(item.id);
    }

    const ids = healthy.map(({ id }) => id);
    expect(started.filter((id) => ids.includes(id))).toEqual(ids);
    expect(started).toHaveLength(10 * 2 + 5);
  });

  it("alternates between receivers, whatever the order and number of their deliveries", async () => {
    const { queue, started } = makeQueue({ maxConcurrent: 3 });
    const items = ["a", "a", "a", "a", "b", "b", "c"].map((webhookId) => delivery(webhookId));

    for (const item of items) queue.add(item);
    await nextTurn();

    const names = started.map((id) => items.find((item) => item.id === id)?.webhookId);
    expect(names).toEqual(["a", "b", "c", "a", "b", "a"]);
  });

  it("keeps the order of one receiver, and starts the next only after one ended", async () => {
    const { queue, started, finish } = makeQueue({ maxConcurrent: 1 });
    const [first, second] = [delivery("a"), delivery("a")];
    queue.add(first);
    queue.add(second);
    await nextTurn();
    const before = [...started];

    finish(first.id);
    await nextTurn();

    expect([before, started]).toEqual([[first.id], [first.id, second.id]]);
  });

  it.each([
    ["the other engine's webhook", { generation: 1 }],
    ["another app's webhook", { appId: "other" }],
    ["a bot", { target: { url: "https://bots.example.com", credentials: undefined } }],
  ] as const)("distinguishes a webhook from %s of the same name", async (_like, other) => {
    const { queue, started } = makeQueue({ maxConcurrent: 1 });
    const items = [delivery("support"), { ...delivery("support"), ...other }];

    for (const item of items) queue.add(item);
    await nextTurn();

    expect(started).toEqual(items.map(({ id }) => id));
  });

  it("starts nothing after it was cleared, and is idle then", async () => {
    const { queue, started } = makeQueue({ maxConcurrent: 1 });
    queue.add(delivery("a"));
    const idle = queue.idle();

    queue.clear();
    await idle;
    await nextTurn();

    expect(started).toEqual([]);
  });

  it("still counts running deliveries after it was cleared", async () => {
    const { queue, started, finish } = makeQueue({ maxConcurrent: 1 });
    const [before, after] = [delivery("a"), delivery("a")];
    queue.add(before);
    await nextTurn();

    queue.clear();
    queue.add(after);
    await nextTurn();
    const meanwhile = [...started];
    finish(before.id);
    await nextTurn();

    expect([meanwhile, started]).toEqual([[before.id], [before.id, after.id]]);
  });

  it("starts a retry on time, however many of other receivers wait", async () => {
    const { queue, started, clock } = makeQueue({ maxConcurrent: 1 });
    for (let number = 0; number < 50; number += 1) queue.add(delivery("silent"));
    const retry = { ...delivery("healthy"), dueMs: clock.now() + 10_000 };
    queue.add(retry);

    await clock.advance(9_999);
    await nextTurn();
    const early = started.includes(retry.id);
    await clock.advance(1);
    await nextTurn();

    expect([early, started.includes(retry.id)]).toEqual([false, true]);
  });
});

function makeQueue({ maxConcurrent }: { maxConcurrent: number }) {
  const clock = createVirtualClock();
  const started: number[] = [];
  const running = new Map<number, () => void>();
  const queue = new DeliveryQueue({
    clock,
    maxConcurrent,
    start(id) {
      started.push(id);
      return new Promise((resolve) => running.set(id, resolve));
    },
  });
  return { clock, queue, started, finish: (id: number) => running.get(id)?.() };
}

// An ended delivery lets the next one start in the turn after its own.
async function nextTurn() {
  await nextLoop();
  await nextLoop();
}

let lastId = 0;

function delivery(webhookId: string): Delivery {
  lastId += 1;
  return {
    id: lastId,
    appId: "app-1",
    generation: 2,
    webhookId,
    trigger: "message_sent",
    body: "{}",
    state: "pending",
    createdMs: 0,
    firstAttemptMs: undefined,
    attemptCount: 0,
    dueMs: undefined,
  };
}
