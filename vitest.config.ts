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
    exclude: ["test/bench/**"],
    // A test that asserts nothing fails, so that none can pass by doing nothing.
    expect: { requireAssertions: true },
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
