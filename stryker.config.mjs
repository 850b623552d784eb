import { mutatedFiles } from "./test/mutation/mutated-files.ts";

/** Mutation testing: the code is changed on purpose, one place at a time, and a unit test must notice (docs/mutation.md). */
export default {
  mutate: Object.values(mutatedFiles).flat(),
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  concurrency: 2,
  incremental: true,
  incrementalFile: ".stryker/incremental.json",
  tempDirName: ".stryker/sandbox",
  ignorePatterns: [".serverless", ".esbuild", ".build", "test/bench"],
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, reportTests: false },
  // Stryker reads this file with TypeScript's programming interface, which TypeScript 7 does not have: there must be none.
  tsconfigFile: "none.json",
};
