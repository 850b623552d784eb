import { describe, expect, it, onTestFinished } from "vitest";
import { readNumberOr } from "../../lib/base/config.ts";

function set(value: string) {
  process.env.A_SETTING_OF_HOURS = value;
  onTestFinished(() => {
    delete process.env.A_SETTING_OF_HOURS;
  });
}

describe("readNumberOr with a limit", () => {
  it.each(["312", "24", "0.5"])("accepts a value within it: %s", (value) => {
    set(value);

    expect(readNumberOr("A_SETTING_OF_HOURS", 24, 312)).toBe(Number(value));
  });

  it.each(["312.1", "1000", "0", "-1", "24h", "Infinity"])("refuses a value outside of it: %s", (value) => {
    set(value);

    expect(() => readNumberOr("A_SETTING_OF_HOURS", 24, 312)).toThrow(
      "A_SETTING_OF_HOURS must be a number above 0, at most 312, without a unit",
    );
  });

  it("mentions a limit only if there is one", () => {
    set("soon");

    expect(() => readNumberOr("A_SETTING_OF_HOURS", 24)).toThrow("a number above 0, without a unit");
  });
});
