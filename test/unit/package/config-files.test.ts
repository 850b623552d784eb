import { expect, it } from "vitest";
import { configFiles } from "../../../build/config-files.ts";

it.each([
  ["60 seconds by default", { plugins: [] }, 60_000],
  ["60 seconds with other settings of tests", { test: { include: [] } }, 60_000],
  ["the project's own time", { test: { testTimeout: 7000 } }, undefined],
])("configFiles gives tests %s", (_time, own, expected) => {
  const { test } = configFiles().config(own);

  expect(test.testTimeout).toBe(expected);
});
