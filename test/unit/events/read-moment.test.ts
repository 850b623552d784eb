import { describe, expect, it } from "vitest";
import { readMoment } from "../../../lib/events/scalars.ts";

const moment = new Date("2026-11-20T12:00:00.000Z");

describe("readMoment", () => {
  it.each([
    ["seconds", 1_795_176_000],
    ["digits of seconds", "1795176000"],
    ["seconds with a fraction", "1795176000.000"],
    ["milliseconds", 1_795_176_000_000],
    ["digits of milliseconds", "1795176000000"],
    ["microseconds", 1_795_176_000_000_000],
    ["ISO 8601 in UTC", "2026-11-20T12:00:00Z"],
    ["ISO 8601 with a fraction", "2026-11-20T12:00:00.000000Z"],
    ["ISO 8601 with another zone", "2026-11-20T17:30:00+05:30"],
  ])("reads %s as the same moment", (_, written) => {
    expect(readMoment(written)).toEqual(moment);
  });

  it.each([
    ["the empty text", ""],
    ["zero, which stands for never", 0],
    ["a negative number", -1_795_176_000],
    ["seconds of 1999", 946_684_799],
    ["seconds of 2100", 4_102_444_800],
    ["milliseconds of 1999", 946_684_799_999],
    ["nanoseconds", 1_795_176_000_000_000_000],
    ["ISO 8601 without a zone", "2026-11-20T12:00:00"],
    ["a date alone", "2026-11-20"],
    ["a day that no calendar has", "2026-13-40T12:00:00Z"],
    ["ISO 8601 of the year 1970", "1970-01-01T00:00:00Z"],
    ["a word", "soon"],
    ["a truth value", true],
    ["a list", [1_795_176_000]],
    ["an object", { seconds: 1_795_176_000 }],
    ["nothing", undefined],
  ])("claims nothing of %s", (_, written) => {
    expect(readMoment(written)).toBeUndefined();
  });
});
