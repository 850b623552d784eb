import { describe, expect, it } from "vitest";
import { isWithinOfficeHours } from "../../../../lib/behaviours/replies/decide-reply.ts";
import type { OfficeHours } from "../../../../lib/behaviours/replies/reply-rules.ts";

const berlin: OfficeHours = { timeZone: "Europe/Berlin", days: ["mon", "fri"], from: "09:00", to: "17:00" };

describe("isWithinOfficeHours", () => {
  it.each([
    ["at opening time in winter (UTC+1)", "2026-03-02T08:00:00Z", true],
    ["a minute before opening in winter", "2026-03-02T07:59:59Z", false],
    ["at opening time in summer (UTC+2)", "2026-07-06T07:00:00Z", true],
    ["the last minute", "2026-03-02T15:59:59Z", true],
    ["at closing time", "2026-03-02T16:00:00Z", false],
    ["on a day off", "2026-03-03T11:00:00Z", false],
    ["at midnight between two days", "2026-03-01T23:00:00Z", false],
  ])("judges %s", (_case, moment, expected) => {
    expect(isWithinOfficeHours(new Date(moment), berlin)).toBe(expected);
  });

  it("takes the day from the named time zone, not from UTC", () => {
    const auckland: OfficeHours = { timeZone: "Pacific/Auckland", days: ["mon"], from: "08:00", to: "12:00" };
    expect(isWithinOfficeHours(new Date("2026-03-01T20:30:00Z"), auckland)).toBe(true);
  });
});
