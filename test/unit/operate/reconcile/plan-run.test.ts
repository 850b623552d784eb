import { describe, expect, it } from "vitest";
import {
  createReconcileMemory,
  measurableHours,
  planRehearsal,
  planRunByHand,
  planScheduledRun,
} from "../../../../lib/operate/reconcile/plan-run.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { nowSeconds } from "./reconcile-world.ts";

const nowMs = nowSeconds * 1000;
const nothing = { course: undefined, doneUntil: undefined, ranAt: undefined };
const hour = Math.floor(nowSeconds / 3_600) * 3_600;

describe("planScheduledRun", () => {
  it("begins with the last hour, and leaves out the last two minutes", () => {
    expect(planScheduledRun(nothing, nowMs)).toEqual({
      since: nowSeconds - 3_720,
      until: nowSeconds - 120,
      after: undefined,
    });
  });

  it("begins five minutes before the end of the last run", () => {
    const plan = planScheduledRun({ ...nothing, doneUntil: nowSeconds - 4_000 }, nowMs);

    expect(plan).toMatchObject({ since: nowSeconds - 4_300, until: nowSeconds - 120 });
  });

  it("continues an unfinished run", () => {
    const course = { since: nowSeconds - 9_000, until: nowSeconds - 5_000, after: "7" };

    expect(planScheduledRun({ ...nothing, course }, nowMs)).toBe(course);
  });

  it("continues an unfinished run that ends a day ago", () => {
    const course = { since: 1_000, until: nowSeconds - 86_400, after: "7" };

    expect(planScheduledRun({ ...nothing, course }, nowMs)).toBe(course);
  });

  it("looks back a day at most", () => {
    const old = { since: 1_000, until: 2_000, after: "7" };

    expect(planScheduledRun({ ...nothing, course: old, doneUntil: 500 }, nowMs)).toEqual({
      since: nowSeconds - 86_400,
      until: nowSeconds - 120,
      after: undefined,
    });
  });

  it("never begins after its end", () => {
    const plan = planScheduledRun({ ...nothing, doneUntil: nowSeconds + 9_000 }, nowMs);

    expect(plan.since).toBe(plan.until);
  });
});

describe("planRunByHand", () => {
  const course = { since: 100, until: 200, after: "7" };

  it.each([200, 300])("continues an unfinished run with the same beginning, until %i", (until) => {
    const plan = planRunByHand({ ...nothing, course }, { since: 100, until });

    expect(plan).toEqual({ since: 100, until, after: "7" });
  });

  it.each([
    ["another beginning", { since: 99, until: 300 }],
    ["an earlier end", { since: 100, until: 150 }],
  ])("starts over for %s", (_case, span) => {
    expect(planRunByHand({ ...nothing, course }, span)).toEqual({ ...span, after: undefined });
  });
});

describe("measurableHours", () => {
  it("returns only whole hours", () => {
    expect(measurableHours({ since: hour - 7_300, until: hour + 100 }, nowMs)).toEqual([
      hour - 7_200,
      hour - 3_600,
    ]);
  });

  it("leaves out an hour until ten minutes after its end", () => {
    const span = { since: hour - 3_600, until: nowSeconds };

    expect(measurableHours(span, (hour + 599) * 1000)).toEqual([]);
    expect(measurableHours(span, (hour + 600) * 1000)).toEqual([hour - 3_600]);
  });
});

describe("planRehearsal", () => {
  const measured = (remembered: Parameters<typeof planRehearsal>[0]) =>
    measurableHours(planRehearsal(remembered, nowMs), nowMs);
  const ranAt = nowSeconds - 3_600;

  it.each([
    ["the first time", nothing],
    ["after other work", { ...nothing, doneUntil: hour - 7_200 }],
    ["without an end of earlier work", { ...nothing, ranAt: nowSeconds }],
    ["after the schedule was off", { ...nothing, doneUntil: hour - 7_200, ranAt: nowSeconds - 9_001 }],
  ])("measures no hour %s", (_case, remembered) => {
    expect(planRehearsal(remembered, nowMs)).toEqual({ since: nowSeconds, until: nowSeconds });
    expect(measured(remembered)).toEqual([]);
  });

  it("measures the hours since the last one, a day at most", () => {
    expect(measured({ ...nothing, doneUntil: hour - 7_200, ranAt })).toEqual([hour - 7_200, hour - 3_600]);
    expect(measured({ ...nothing, doneUntil: 0, ranAt })).toHaveLength(23);
  });
});

describe("createReconcileMemory", () => {
  const key = { lane: "app shop", item: "reconcile schedule" };
  const course = { since: 100, until: 200, after: "7" };
  const prepare = () => {
    const table = createMemoryTable("lane", "item");
    const memory = createReconcileMemory(table, () => nowMs + 1);
    return { table, memory, read: () => memory.read("shop", "schedule") };
  };

  it("keeps the position of a stopped run for 15 days, and drops it when another run begins", async () => {
    const { table, memory, read } = prepare();

    await memory.save("shop", "schedule", course);
    const stopped = await read();
    const item = await table.get(key);
    await memory.save("shop", "schedule", { since: 300, until: 400, after: undefined });

    expect(stopped).toEqual({ ...nothing, course });
    expect(item).toMatchObject({ expiration: nowSeconds + 1 + 15 * 86_400 });
    expect(await read()).toEqual({ ...nothing, course: { since: 300, until: 400, after: undefined } });
  });

  it("records the end of a finished run, and never an earlier one", async () => {
    const { memory, read } = prepare();
    await memory.save("shop", "schedule", course);

    await memory.finish("shop", "schedule", 200);
    await memory.finish("shop", "schedule", 200);
    await memory.finish("shop", "schedule", 150);

    expect(await read()).toEqual({ ...nothing, doneUntil: 200 });
  });

  it("deletes the unfinished run that a later one overtook, and no other", async () => {
    const { memory, read } = prepare();
    await memory.finish("shop", "schedule", 300);

    await memory.save("shop", "schedule", course);
    await memory.finish("shop", "schedule", 200);
    const overtaken = await read();
    await memory.save("shop", "schedule", { ...course, until: 250 });
    await memory.finish("shop", "schedule", 200);

    expect(overtaken).toEqual({ ...nothing, doneUntil: 300 });
    expect(await read()).toEqual({ course: { ...course, until: 250 }, doneUntil: 300, ranAt: undefined });
  });

  it("ignores an item with missing or invalid fields", async () => {
    const { table, read } = prepare();

    for (const set of [{ since: 1 }, { until: 2 }, { since: "1", until: 2, doneUntil: "3", ranAt: "4" }]) {
      await table.update(key, { set, remove: ["since", "until"].filter((name) => !(name in set)) });
      expect(await read()).toEqual(nothing);
    }
    await table.update(key, { set: { since: 1, until: 2, after: 3 } });
    expect(await read()).toMatchObject({ course: { since: 1, until: 2, after: undefined } });
  });
});
