/**
 * Mutation testing: the code is changed on purpose, one place at a time, and a unit test must notice
 * (docs/internals/mutation.md). tools/mutate.ts says what is changed and which tests must notice, one
 * group after the other.
 */
export default {
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  concurrency: 2,
  incremental: true,
  tempDirName: ".stryker/sandbox",
  ignorePatterns: [".serverless", ".esbuild", ".build", "test/bench"],
  /** Percent of a group's mutants that the unit tests must notice: a lower score sets the exit code 1. */
  thresholds: { break: 85 },
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, reportTests: false },
  // Tables of rules are read once, when their module is loaded: their mutants run all tests of the group.
  warnings: { slow: false },
  // Stryker reads this file with TypeScript's programming interface, which TypeScript 7 does not have: there
  // must be none.
  tsconfigFile: "none.json",
};
