import { beforeEach, describe, expect, it } from "vitest";
import {
  createWaitingRoom,
  type Waiter,
  type WaitingRoom,
} from "../../../../lib/queue/pauses/waiting-room.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const of = { appId: "a", pauseId: "p-1" };
const lane = (group: string, trigger?: string): Waiter => ({
  kind: "lane",
  source: "events",
  group,
  ...(trigger !== undefined && { trigger }),
});
const flow = (flowId: string, cameMs: number): Waiter => ({
  kind: "flow",
  flowId,
  callbackId: `callback of ${flowId}`,
  cameMs,
});

describe("createWaitingRoom", () => {
  let room: WaitingRoom;
  let nowMs = 5;

  beforeEach(() => {
    nowMs = 5;
    room = createWaitingRoom(createMemoryTable("lane", "item"), () => nowMs);
  });

  const waiters = async (limit = 10) =>
    (await room.waiters(of, undefined, limit)).map(({ waiter }) => waiter);

  it("returns lanes, then flows in order of arrival, and each waiter once", async () => {
    const all = [lane("g2"), flow("late", 20), lane("g1", "auto reply"), flow("soon", 9), lane("g1")];
    for (const waiter of [...all, ...all]) await room.enter(of, waiter);

    expect(await waiters()).toEqual([
      lane("g1"),
      lane("g1", "auto reply"),
      lane("g2"),
      flow("soon", 9),
      flow("late", 20),
    ]);
  });

  it("returns each branch of a flow, also if they arrived in one millisecond", async () => {
    const branches = [flow("f", 9), { ...flow("f", 9), callbackId: "callback of the other branch" }];
    for (const branch of branches) await room.enter(of, branch);

    expect(await waiters()).toEqual(expect.arrayContaining(branches));
  });

  it("returns waiters page by page, without the watch", async () => {
    await room.noteWatch(of, {});
    for (const group of ["g1", "g2", "g3"]) await room.enter(of, lane(group));

    const [first, second] = await room.waiters(of, undefined, 2);
    const rest = await room.waiters(of, second?.key, 2);

    expect([first?.waiter, second?.waiter]).toEqual([lane("g1"), lane("g2")]);
    expect(rest.map(({ waiter }) => waiter)).toEqual([lane("g3")]);
  });

  it("separates the waiters of different pauses", async () => {
    await room.enter(of, lane("g1"));
    await room.enter({ ...of, pauseId: "p-2" }, lane("g2"));
    await room.enter({ ...of, appId: "b" }, lane("g3"));

    expect(await waiters()).toEqual([lane("g1")]);
  });

  it("returns the latest time at which a waiter entered", async () => {
    await room.enter(of, lane("g1"));
    nowMs = 9;
    await room.enter(of, lane("g1"));

    expect(await room.waiters(of, undefined, 9)).toMatchObject([{ enteredMs: 9 }]);
  });

  it("remembers the time, the progress and the end of the watch", async () => {
    expect(await room.watch(of)).toBeUndefined();
    await room.noteWatch(of, { wokenTo: "lane events g1" });
    nowMs = 7;
    await room.noteWatch(of, { isOver: true });

    expect(await room.watch(of)).toEqual({ seenMs: 7, wokenTo: "lane events g1", isOver: true });
  });
});
