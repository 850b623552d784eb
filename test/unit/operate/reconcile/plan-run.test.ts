import { describe, expect, it } from "vitest";
import {
  measurableHours,
  planRunByHand,
  planScheduledHours,
  planScheduledRun,
} from "../../../../lib/operate/reconcile/plan-run.ts";
import { nowSeconds } from "./reconcile-world.ts";

const nowMs = nowSeconds * 1000;
const nothing = { course: undefined, doneUntil: undefined, ranAt: undefined };
const hour = Math.floor(nowSeconds / 3_600) * 3_600;

describe("planScheduledRun", () => {
  it("begins with the last hour, and leaves the youngest two minutes alone", () => {
    expect(planScheduledRun(nothing, nowMs)).toEqual({
      since: nowSeconds - 3_720,
      until: nowSeconds - 120,
      after: undefined,
    });
  });

  it("begins five minutes before the end of what is done", () => {
    const plan = planScheduledRun({ ...nothing, doneUntil: nowSeconds - 4_000 }, nowMs);

    expect(plan).toMatchObject({ since: nowSeconds - 4_300, until: nowSeconds - 120 });
  });

  it("goes on with what an earlier run left", () => {
    const course = { since: nowSeconds - 9_000, until: nowSeconds - 5_000, after: "7" };

    expect(planScheduledRun({ ...nothing, course }, nowMs)).toBe(course);
  });

  it("looks back a day at most, however long it was off", () => {
    const old = { since: 1_000, until: 2_000, after: "7" };

    expect(planScheduledRun({ ...nothing, course: old, doneUntil: 500 }, nowMs)).toEqual({
      since: nowSeconds - 86_400,
      until: nowSeconds - 120,
      after: undefined,
    });
  });

  it("never begins after its end, whatever is remembered", () => {
    const plan = planScheduledRun({ ...nothing, doneUntil: nowSeconds + 9_000 }, nowMs);

    expect(plan.since).toBe(plan.until);
  });
});

describe("planRunByHand", () => {
  const course = { since: 100, until: 200, after: "7" };

  it("goes on where an earlier run with the same beginning stopped", () => {
    expect(planRunByHand({ ...nothing, course }, { since: 100, until: 300 })).toEqual({
      since: 100,
      until: 300,
      after: "7",
    });
  });

  it.each([
    ["another beginning", { since: 99, until: 300 }],
    ["an earlier end", { since: 100, until: 150 }],
  ])("begins anew for %s", (_case, span) => {
    expect(planRunByHand({ ...nothing, course }, span)).toEqual({ ...span, after: undefined });
  });
});

describe("measurableHours", () => {
  it("gives whole hours alone", () => {
    expect(measurableHours({ since: hour - 7_300, until: hour + 100 }, nowMs)).toEqual([
      hour - 7_200,
      hour - 3_600,
    ]);
  });

  it("leaves an hour alone until ten minutes after its end", () => {
    const span = { since: hour - 3_600, until: nowSeconds };

    expect(measurableHours(span, (hour + 599) * 1000)).toEqual([]);
    expect(measurableHours(span, (hour + 600) * 1000)).toEqual([hour - 3_600]);
  });
});

describe("planScheduledHours", () => {
  const ranAt = nowSeconds - 3_600;

  it.each([
    ["at first", nothing],
    ["after it did other work", { ...nothing, doneUntil: hour - 7_200 }],
    ["after the schedule was off", { ...nothing, doneUntil: hour - 7_200, ranAt: nowSeconds - 9_001 }],
  ])("begins anew %s: nothing may have been counted", (_case, remembered) => {
    expect(planScheduledHours(remembered, nowMs)).toBeUndefined();
  });

  it("measures the hours since the last one, and a day of them at most", () => {
    expect(planScheduledHours({ ...nothing, doneUntil: hour - 7_200, ranAt }, nowMs)).toEqual([
      hour - 7_200,
      hour - 3_600,
    ]);
    expect(planScheduledHours({ ...nothing, doneUntil: 0, ranAt }, nowMs)).toHaveLength(23);
  });
});
