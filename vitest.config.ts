import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { loadConfigFile } from "./scripts/load-config-file.ts";

export default defineConfig({
  plugins: [
    {
      name: "config-files",
      load: (id: string) =>
        /[/\\]config[/\\][^/\\]+\.yml$/.test(id) ? loadConfigFile(id, "local") : undefined,
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "**/node_modules/**"],
    // A test that asserts nothing fails, so that none can pass by doing nothing.
    expect: { requireAssertions: true },
    // Many tests wait more than they work: also two cores are given three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
