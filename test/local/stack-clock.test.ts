import { once } from "node:events";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openStackClock, readClockSetting } from "../../local/stack/clock/join-clock.ts";
import { StackClock } from "../../local/stack/clock/stack-clock.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

// A machine whose time a test sets; the clock's own timers never fire within a test, as they wait for hours.
const startMs = Date.UTC(2026, 10, 22, 8);
const hourMs = 3_600_000;

let machine: { nowMs: number };
let clock: StackClock;

beforeEach(() => {
  machine = { nowMs: startMs };
  clock = new StackClock({ offsetMs: 0 }, () => machine.nowMs);
});

describe("WorldClock", () => {
  it("runs due work in order, each at its own time, with all that follows from it", async () => {
    const seen: [string, number][] = [];
    const note = (name: string) => seen.push([name, clock.now() - startMs]);
    clock.schedule(startMs + 3 * hourMs, () => void note("third"));
    clock.schedule(startMs + hourMs, () => {
      note("first");
      clock.schedule(startMs + 2 * hourMs, () => void note("second"));
    });

    const moved = await clock.moveTo(startMs + 2.5 * hourMs);

    expect(seen).toEqual([
      ["first", hourMs],
      ["second", 2 * hourMs],
    ]);
    expect(moved).toEqual({ nowMs: startMs + 2.5 * hourMs, isDone: true, steps: 2, leftMs: 0 });
    expect(clock.pendingTasks()).toBe(1);
  });

  it("follows the machine's clock with its offset", async () => {
    await clock.moveTo(startMs + hourMs);
    machine.nowMs += 7;

    expect(clock.now()).toBe(startMs + hourMs + 7);
    expect(clock.setting).toEqual({ offsetMs: hourMs });
  });

  it("never goes backwards", async () => {
    await clock.moveTo(startMs - hourMs);

    expect(clock.now()).toBe(startMs);
  });

  it("stands still while frozen, can be moved meanwhile, and continues from there", async () => {
    clock.freeze();
    machine.nowMs += hourMs;
    const frozenAtMs = clock.now();
    await clock.moveTo(startMs + 60_000);
    const movedTo = clock.setting;
    clock.unfreeze();
    machine.nowMs += 5;

    expect(frozenAtMs).toBe(startMs);
    expect(movedTo.frozenAtMs).toBe(startMs + 60_000);
    expect(clock.now()).toBe(startMs + 60_005);
  });

  it("keeps a setting that was made while it was being moved", async () => {
    clock.schedule(startMs + 10, () => clock.freeze());

    await clock.moveTo(startMs + hourMs);

    expect(clock.setting.frozenAtMs).toBe(startMs + hourMs);
  });

  it("waits for running work before it continues", async () => {
    const seen: string[] = [];
    let isWorking = false;
    clock.joinBeforeAdvance(async () => {
      if (!isWorking) return;
      await Promise.resolve();
      seen.push("settled");
      isWorking = false;
    });
    clock.schedule(startMs + 1, () => {
      isWorking = true;
      seen.push("begun");
    });
    clock.schedule(startMs + 2, () => void seen.push("next"));

    await clock.moveTo(startMs + hourMs);

    expect(seen).toEqual(["begun", "settled", "next"]);
  });

  it("runs due work of sources in order with scheduled work", async () => {
    const seen: (string | number)[] = [];
    let dueMs: number | undefined = startMs + 20;
    clock.addSource({
      nextAtMs: () => dueMs,
      async runDue() {
        seen.push(clock.now() - startMs);
        dueMs = undefined;
      },
    });
    clock.schedule(startMs + 10, () => void seen.push("before"));
    clock.schedule(startMs + 30, () => void seen.push("after"));

    await clock.moveTo(startMs + hourMs);

    expect(seen).toEqual(["before", 20, "after"]);
  });

  it("does not wait for a source that stays due", async () => {
    clock.addSource({ nextAtMs: () => startMs + 5 });

    const moved = await clock.moveTo(startMs + hourMs);

    expect(moved.isDone).toBe(true);
  });

  it("stops midway after its time limit, and returns where", async () => {
    const again = (atMs: number) => void clock.schedule(atMs, () => again(atMs + 1_000));
    again(startMs + 1_000);

    const moved = await clock.moveTo(startMs + 1_000 * hourMs, { forMs: 0 });

    expect(moved).toEqual({ nowMs: startMs, isDone: false, steps: 0, leftMs: 1_000 * hourMs });
  });

  it("has its whole time limit for due work, however long earlier work takes", async () => {
    const seen: string[] = [];
    clock.joinBeforeAdvance(async () => {
      const untilMs = performance.now() + 2;
      while (performance.now() < untilMs);
    });
    clock.schedule(startMs + 1_000, () => void seen.push("due"));

    const moved = await clock.moveTo(startMs + hourMs, { forMs: 1 });

    expect(seen).toEqual(["due"]);
    expect(moved).toMatchObject({ isDone: true, steps: 1 });
  });

  it("stops if running work does not end, before or within the move", async () => {
    let untilMs = startMs;
    clock.joinBeforeAdvance(async () => {
      if (clock.now() >= untilMs) await new Promise(() => {});
    });
    clock.schedule(startMs + 1_000, () => {});
    const limits = { settleForMs: 20 };

    const before = await clock.moveTo(startMs + hourMs, limits);
    untilMs = startMs + 1_000;
    const within = await clock.moveTo(startMs + hourMs, limits);

    expect(before).toEqual({ nowMs: startMs, isDone: false, steps: 0, leftMs: hourMs });
    expect(within).toMatchObject({ nowMs: startMs + 1_000, isDone: false, steps: 1 });
  });

  it("stops settling and moving, and each move that waits, if its state is replaced", async () => {
    let isOver = false;
    const begun = Promise.withResolvers<void>();
    clock.joinBeforeAdvance(async (signal) => {
      begun.resolve();
      await once(signal, "abort");
      isOver = true;
    });
    const moves = [clock.moveTo(startMs + hourMs), clock.moveTo(startMs + hourMs)];

    await begun.promise;
    const replaced = await clock.replace(async () => clock.now());

    expect([replaced, isOver]).toEqual([startMs, true]);
    expect((await Promise.all(moves)).map(({ isDone }) => isDone)).toEqual([false, false]);
  });

  it("stops where it is if who asked for the move is gone", async () => {
    const leaving = new AbortController();
    clock.schedule(startMs + 1_000, () => leaving.abort());

    const moved = await clock.moveTo(startMs + hourMs, { signal: leaving.signal });

    expect(moved).toMatchObject({ nowMs: startMs + 1_000, isDone: false });
  });

  it("adds up two concurrent moves", async () => {
    await Promise.all([clock.advance(hourMs), clock.advance(hourMs)]);

    expect(clock.now()).toBe(startMs + 2 * hourMs);
  });

  it("returns when the next work falls due", () => {
    clock.schedule(startMs + 2 * hourMs, () => {});
    clock.addSource({ nextAtMs: () => startMs + hourMs });

    expect(clock.nextAtMs()).toBe(startMs + hourMs);
  });
});

it("a clock in a folder stores each step of a move, so that a crash midway repeats nothing", async () => {
  const folder = temporaryFolder();
  const kept = openStackClock(folder);
  const found: ReturnType<typeof readClockSetting>[] = [];
  kept.schedule(kept.now() + hourMs, () => void found.push(readClockSetting(join(folder, "clock.json"))));

  await kept.moveTo(kept.now() + 2 * hourMs);

  expect(found).toEqual([{ offsetMs: expect.closeTo(hourMs, -6) }]);
});
