import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { configFiles } from "./scripts/config-files.ts";

export default defineConfig({
  plugins: [configFiles()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "**/node_modules/**"],
    // A test that asserts nothing fails, so that none can pass by doing nothing.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // Many tests wait more than they work: also two cores are given three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: ["test/helpers/setup.ts"],
    // Limits end what hangs. They say nothing of how long something may take, which differs tenfold between machines.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
