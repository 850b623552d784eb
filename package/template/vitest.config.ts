import { configFiles } from "cometchat-functions/testing";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [configFiles()], // lets code import the files of config/, as a build does, and gives tests 30 seconds
  test: { include: ["test/**/*.test.ts"] },
});
