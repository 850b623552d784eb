import { expect, it } from "vitest";
import { isUnchangedDefault } from "../../../../lib/operate/app-as-code/resource-kind.ts";

const made = { default: true, createdAt: 5 };

it.each([
  [true, { ...made, updatedAt: 5, revisionId: "rule_1" }],
  [true, made],
  [true, { ...made, revisionId: "rule_1" }],
  [false, { ...made, revisionId: "rule_12" }],
  [false, { ...made, revisionId: "rule_2", updatedAt: 5 }],
  [false, { ...made, updatedAt: 6 }],
  [false, { ...made, default: false }],
  [false, { default: true, updatedAt: 5 }],
  [false, { default: true }],
])("recognizes an unchanged platform default: %s for %j", (expected, shown) => {
  expect(isUnchangedDefault(shown)).toBe(expected);
});
