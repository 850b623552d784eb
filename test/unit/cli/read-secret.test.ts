import { expect, it } from "vitest";
import { parseApiKey } from "../../../cli/read-secret.ts";
import { hideSecrets } from "../../../lib/base/known-secrets.ts";

it.each([
  ["", "No API key was given."],
  ["y", "it is too short"],
  [`${"a".repeat(20)} ${"b".repeat(20)}`, "contains spaces"],
])("takes no %j for a key", (typed, message) => {
  expect(() => parseApiKey(typed, "")).toThrow(message);
});

it("says what is wrong with a short word in whole words", () => {
  const message = "contains spaces or line breaks";

  expect(() => parseApiKey("breaks", "")).toThrow(message);
  expect(hideSecrets(message)).toBe(message);
});
