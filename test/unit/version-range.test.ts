import { describe, expect, it } from "vitest";
import { isOlder, satisfies } from "../../build/version-range.ts";

describe("satisfies", () => {
  it.each([
    ["1.2.3", "1.2.3"],
    ["1.2.3", "^1.2.3"],
    ["1.9.0", "^1.2.3"],
    ["0.28.9", "^0.28.2"],
    ["0.0.3", "^0.0.3"],
    ["1.2.9", "~1.2.3"],
    ["7.0.0", ">=1.2.3"],
    ["4.5.0", "npm:osls@^4.3.1"],
    ["1.2.10", "^1.2.9"],
    ["9.9.9", "*"],
  ])("accepts %s for %s", (version, range) => {
    expect(satisfies(version, range)).toBe(true);
  });

  it.each([
    ["1.2.4", "1.2.3"],
    ["1.2.2", "^1.2.3"],
    ["2.0.0", "^1.2.3"],
    ["0.29.0", "^0.28.2"],
    ["0.0.4", "^0.0.3"],
    ["1.3.0", "~1.2.3"],
    ["1.2.2", ">=1.2.3"],
    ["5.0.0", "npm:osls@^4.3.1"],
    ["1.2.3", "something else"],
  ])("refuses %s for %s", (version, range) => {
    expect(satisfies(version, range)).toBe(false);
  });
});

describe("isOlder", () => {
  it("compares numbers, not texts", () => {
    expect([isOlder("0.9.0", "0.10.0"), isOlder("0.10.0", "0.9.0"), isOlder("1.0.0", "1.0.0")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
