import { expect, it } from "vitest";
import { configFiles } from "../../../build/config-files.ts";

it.each([
  ["60 seconds where a project says nothing of it", { plugins: [] }, 60_000],
  ["60 seconds where a project says other things of tests", { test: { include: [] } }, 60_000],
  ["the time that a project says", { test: { testTimeout: 7000 } }, undefined],
])("configFiles gives tests %s", (_time, own, expected) => {
  const { test } = configFiles().config(own);

  expect(test.testTimeout).toBe(expected);
});
