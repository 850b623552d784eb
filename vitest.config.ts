import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { configFiles } from "./scripts/config-files.ts";
import { secondTries } from "./test/helpers/second-tries.ts";

export default defineConfig({
  plugins: [configFiles()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "**/node_modules/**"],
    // A test that asserts nothing fails, so that none can pass by doing nothing.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // Many tests wait more than they work: also two cores are given three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // One try more, and told: of 13,000 tests with processes and browsers one may take a machine's speed for granted. What a
    // property or a storm has found is no such thing (test/chaos/seeds.ts); and at night nothing gets a second try.
    retry: process.env.SECOND_TRY === "no" ? 0 : { count: 1, condition: /^(?!Property failed)/ },
    reporters: ["default", secondTries()],
    setupFiles: ["test/helpers/setup.ts"],
    // Limits end what hangs. They say nothing of how long something may take, which differs tenfold between machines.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
