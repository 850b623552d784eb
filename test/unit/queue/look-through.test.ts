import timers from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it } from "vitest";
import { deadLetters, readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import { createSetAsideQueue, type ReplayItem } from "../../../lib/queue/set-aside-queue.ts";
import { ids, renewWorld, world } from "./operator-world.ts";

beforeEach(renewWorld);

/** An operator that records its receive requests, each of which takes `ms`. */
function createReader(ms = 0, last = Number.POSITIVE_INFINITY) {
  const receipts: string[] = [];
  const { services, died } = world.createOperator((target, input) => {
    if (!target.endsWith("ReceiveMessage")) return "answered";
    receipts.push(input);
    world.pass(ms);
    return receipts.length < last ? "answered" : "dies before";
  });
  return { services, died, receipts };
}

describe("a read of the queue", () => {
  it("hides messages for two minutes if it crashes, however many there are", async () => {
    await world.buryAll(ids(100));
    const { services, died } = createReader(0, 3);

    await Promise.race([deadLetters.list({}, services), died]);
    const held = world.queueOf("deadLetters").depth().inFlight;
    world.pass(120_000);

    expect(held).toBe(20);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("extends its holds while it runs, and reads each message once", async () => {
    await world.buryAll(ids(100));
    const { services } = createReader(50_000);

    const { found } = await deadLetters.list({}, services);

    expect(found).toHaveLength(100);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("returns its messages immediately if it is stopped while it extends its holds", async () => {
    await world.buryAll(ids(25));
    const stop = new AbortController();
    const changes: string[] = [];
    const { services } = world.createOperator((target, input) => {
      if (target.endsWith("ReceiveMessage")) world.pass(61_000);
      if (target.endsWith("VisibilityBatch")) {
        changes.push(input);
        stop.abort();
      }
      return "answered";
    });

    await expect(deadLetters.list({}, services, { signal: stop.signal })).rejects.toThrow("aborted");

    expect(changes.map((input) => JSON.parse(input).Entries[0].VisibilityTimeout)).toEqual([240, 0]);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("reports how many messages it returns before it returns them", async () => {
    await world.buryAll(ids(25));
    const returned: unknown[] = [];
    const onReturn = (count: number) => {
      returned.push([count, world.queueOf("deadLetters").depth().inFlight]);
    };

    await deadLetters.list({}, world.services, { onReturn });

    expect(returned).toEqual([[25, 25]]);
  });

  it("stops once it has the requested message, and counts no other as hidden", async () => {
    await world.buryAll(ids(30));
    const [first] = (await world.list()).found;
    const { services, receipts } = createReader();

    const shown = await deadLetters.show(first?.id ?? "", services);
    const listed = await deadLetters.list({ id: first?.id }, services, { firstOnly: true });

    expect(shown?.message).toEqual(first);
    expect(listed).toEqual({ found: [first], unseen: 0 });
    expect(receipts).toHaveLength(2);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("stops once it has all requested IDs", async () => {
    await world.buryAll(ids(30));
    const [first, second] = (await world.list()).found.map(({ id }) => id);
    const selection = { ids: new Set([String(second), String(first)]) };
    const { services, receipts } = createReader();

    const counted = await deadLetters.replay({ selection, rehearse: true }, services);
    const report = await deadLetters.replay({ selection }, services);

    expect(counted).toMatchObject({ selected: 2, ids: [first, second], unseen: 0 });
    expect(report).toMatchObject({ replayed: 2, unseen: 0 });
    expect(receipts).toHaveLength(2);
    expect(world.bodies("events")).toEqual(["m-0", "m-1"]);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });
});

it("a dry run of a replay keeps no item in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  await world.buryAll(ids(40));
  const items: WeakRef<ReplayItem>[] = [];
  const queue = createSetAsideQueue({
    queue: "deadLetters",
    read: readDeadLetter,
    mayHideOthers: () => false,
    prepare: () => {
      const item = { lane: "a", send: async () => {} };
      items.push(new WeakRef(item));
      return item;
    },
  });
  let kept: number | undefined;
  const onReturn = () => {
    collectGarbage();
    kept = items.filter((item) => item.deref() !== undefined).length;
  };
  const { services } = world;
  const callAws: typeof services.callAws = async (call) => {
    await timers.setImmediate(); // only then weak references may be cleared
    return services.callAws(call);
  };

  await queue.replay({ rehearse: true, onReturn }, { ...services, callAws });

  expect(items).toHaveLength(40);
  expect(kept).toBe(0);
});
