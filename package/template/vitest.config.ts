import { configFiles } from "cometchat-functions/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Lets code import the files of config/, as a build does; tests have 60 seconds.
  plugins: [configFiles()],
  test: { include: ["test/**/*.test.ts"] },
});
