import { expect, it } from "vitest";
import { parseApiKey } from "../../../cli/read-secret.ts";
import { hideSecrets } from "../../../lib/base/known-secrets.ts";

it.each([
  ["", "No API key was given."],
  ["y", "it is too short"],
  [`${"a".repeat(20)} ${"b".repeat(20)}`, "contains spaces"],
])("refuses %j as a key", (typed, message) => {
  expect(() => parseApiKey(typed, "")).toThrow(message);
});

it("does not redact a short invalid key in the error message", () => {
  const message = "contains spaces or line breaks";

  expect(() => parseApiKey("breaks", "")).toThrow(message);
  expect(hideSecrets(message)).toBe(message);
});
