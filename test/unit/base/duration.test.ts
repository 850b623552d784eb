import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { duration, durationMs } from "../../../lib/base/duration.ts";

describe("duration", () => {
  it.each([
    ["90s", 90_000],
    ["30min", 1_800_000],
    ["1h", 3_600_000],
    ["2 d", 172_800_000],
  ])("reads %s as %i ms", (text, ms) => {
    expect(durationMs(z.parse(duration, text))).toBe(ms);
  });

  it.each(["1", "h", "-1h", "1.5h", "1h30", "1 hour", "", 60, "5toString", "0h", "000d", "1000000s"])(
    "refuses %s and says what it must look like",
    (text) => {
      const result = z.safeParse(duration, text);

      expect(result.success).toBe(false);
      expect(() => durationMs(String(text))).toThrow(RangeError);
    },
  );

  it("says what it must look like", () => {
    expect(() => z.parse(duration, "soon")).toThrow(
      "must be a length of time above zero, like 30min, 1h or 2d",
    );
  });
});
