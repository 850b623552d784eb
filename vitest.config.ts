import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
