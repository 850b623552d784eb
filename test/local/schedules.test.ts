import { describe, expect, it } from "vitest";
import { readSchedule } from "../../local/cloud/schedules/next-time.ts";
import { runSchedules } from "../../local/cloud/schedules/run-schedules.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const nowMs = at("2026-11-22T08:40:30");

describe("readSchedule", () => {
  it.each([
    ["rate(15 minutes)", "2026-11-22T08:55:30"],
    ["cron(25 * * * ? *)", "2026-11-22T09:25:00"],
    ["cron(0/10 * * * ? *)", "2026-11-22T08:50:00"],
    ["cron(0 9,17 ? * MON-FRI *)", "2026-11-23T09:00:00"],
    ["cron(0 0 1 JAN ? *)", "2027-01-01T00:00:00"],
    ["cron(0 12 29 2 ? *)", "2028-02-29T12:00:00"],
  ])("returns when %s is due next", (expression, expected) => {
    expect(readSchedule(expression, nowMs)(nowMs)).toBe(at(expected));
  });

  it.each([
    ...["rate(0 minutes)", "every day", "cron(1 2 3)", "cron(0 0 L * ? *)", "cron(61 * * * ? *)"],
    ...["rate(5 minute)", "rate(1 minutes)", "cron(0 12 1 * MON *)"],
  ])("refuses %s", (expression) => {
    expect(() => readSchedule(expression, nowMs)).toThrow(expression);
  });

  it("returns no time for a schedule that is never due again", () => {
    expect(readSchedule("cron(0 0 1 1 ? 2020)", nowMs)(nowMs)).toBeUndefined();
  });
});

describe("runSchedules", () => {
  function start(declared: Parameters<typeof runSchedules>[0]) {
    const time = { nowMs };
    const invoked: { functionKey: string; payload: unknown }[] = [];
    const schedules = runSchedules(declared, {
      now: () => time.nowMs,
      region: "eu-central-1",
      isOn: true,
      invoke: (functionKey, payload) => invoked.push({ functionKey, payload: JSON.parse(payload) }),
    });
    schedules.close();
    return { time, invoked, schedules };
  }

  it("invokes with EventBridge's event, or with the declared input", async () => {
    const { time, invoked, schedules } = start([
      { functionKey: "look", schedule: "rate(15 minutes)" },
      { functionKey: "count", schedule: { rate: "cron(0 9 * * ? *)", input: { scheduled: true } } },
      { functionKey: "never", schedule: { rate: "rate(1 minute)", enabled: false } },
    ]);

    time.nowMs = at("2026-11-22T09:05:00");
    await schedules.runDue();

    expect(invoked).toEqual([
      {
        functionKey: "look",
        payload: expect.objectContaining({
          "detail-type": "Scheduled Event",
          source: "aws.events",
          time: "2026-11-22T09:05:00Z",
          detail: {},
        }),
      },
      { functionKey: "count", payload: { scheduled: true } },
    ]);
  });

  it("invokes once if several times were due, and returns the last of them", async () => {
    const { time, invoked, schedules } = start([{ functionKey: "look", schedule: "rate(15 minutes)" }]);

    const lastMs = schedules.sources[0]?.nextAtMs(nowMs + 3_600_000);
    time.nowMs = nowMs + 3_600_000;
    await schedules.runDue();
    await schedules.runDue();

    expect(lastMs).toBe(nowMs + 3_600_000);
    expect(invoked).toHaveLength(1);
    expect(schedules.list()[0]?.dueMs).toBe(nowMs + 4_500_000);
  });

  it("runs nothing while it is off, except on request", async () => {
    const { time, invoked, schedules } = start([{ functionKey: "look", schedule: "rate(15 minutes)" }]);

    schedules.isOn = false;
    time.nowMs += 86_400_000;
    await schedules.runDue();
    const due = schedules.sources[0]?.nextAtMs(Number.POSITIVE_INFINITY);
    schedules.fire("look-1");

    expect(due).toBeUndefined();
    expect(invoked).toHaveLength(1);
    expect(() => schedules.fire("other")).toThrow("other");
  });
});
