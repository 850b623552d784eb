import { describe, expect, it } from "vitest";
import { startRenewedConsumer } from "../../../../cli/listen/start-consumer.ts";

/** Consumers that are numbered as they start, with credentials of ten minutes. */
function prepare() {
  const world = { nowMs: 0, isReachable: true, started: 0, ended: new Set<number>(), closed: [] as number[] };
  const handledBy: number[] = [];
  const consumer = startRenewedConsumer(
    async () => {
      if (!world.isReachable) throw new Error("No network.");
      return { variables: {}, endsAt: new Date(world.nowMs + 600_000) };
    },
    async () => {
      world.started += 1;
      const number = world.started;
      return {
        handle: async () => {
          handledBy.push(number);
          return true;
        },
        hasEnded: () => world.ended.has(number),
        close: async () => void world.closed.push(number),
      };
    },
    () => world.nowMs,
  );
  return { world, handledBy, consumer };
}

describe("startRenewedConsumer", () => {
  it("starts one new consumer before the credentials end, for all concurrent events", async () => {
    const { world, handledBy, consumer } = prepare();
    const { handle, close } = await consumer;
    await handle({});
    world.nowMs = 500_000;

    await Promise.all([handle({}), handle({})]);
    await close();

    expect(handledBy).toEqual([1, 2, 2]);
    expect(world.closed.toSorted()).toEqual([1, 2]);
  });

  it("retries with the next event if the credentials could not be read", async () => {
    const { world, handledBy, consumer } = prepare();
    const { handle } = await consumer;
    world.nowMs = 500_000;
    world.isReachable = false;
    await expect(handle({})).rejects.toThrow("No network.");

    world.isReachable = true;
    await handle({});

    expect(handledBy).toEqual([2]);
  });

  it("starts a new consumer if the process has ended", async () => {
    const { world, handledBy, consumer } = prepare();
    const { handle } = await consumer;
    await handle({});
    world.ended.add(1);

    await handle({});

    expect(handledBy).toEqual([1, 2]);
  });
});
