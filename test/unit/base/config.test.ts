import { afterEach, describe, expect, it } from "vitest";
import { InvalidSettingError, readNumberOr } from "../../../lib/base/config.ts";

const variable = "TEST_HOURS";

describe("readNumberOr", () => {
  afterEach(() => {
    delete process.env[variable];
  });

  it.each([
    ["24", 24],
    ["0.5", 0.5],
    [" 7 ", 7],
    ["1e3", 1000],
  ])("reads a number: %j", (text, number) => {
    process.env[variable] = text;

    expect(readNumberOr(variable, 1)).toBe(number);
  });

  it("gives the other number where none is set, or nothing is", () => {
    expect(readNumberOr(variable, 7)).toBe(7);

    process.env[variable] = "";
    expect(readNumberOr(variable, 7)).toBe(7);
  });

  it.each(["24h", "0", "-1", "NaN", "Infinity", " ", "1,5", "never"])(
    "refuses what is no number above 0, and names the variable: %j",
    (text) => {
      process.env[variable] = text;

      expect(() => readNumberOr(variable, 24)).toThrow(InvalidSettingError);
      expect(() => readNumberOr(variable, 24)).toThrow(variable);
    },
  );

  it("refuses a number of the caller's that is none either", () => {
    expect(() => readNumberOr(variable, 0)).toThrow(InvalidSettingError);
  });
});
