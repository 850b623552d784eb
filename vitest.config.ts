import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { configFiles } from "./build/config-files.ts";

/** Folders of tests that start neither a browser nor the local stack. */
const quick = "test/{unit,own,contract,platform,webhook}/**";

const nightly = ["**/*.nightly.test.ts"];

export default defineConfig({
  plugins: [configFiles()],
  test: {
    // A test that asserts nothing fails.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: ["test/helpers/setup.ts"],
    // Time limits only end what hangs: a busy machine takes five minutes to pack the package.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    projects: [
      // `npm test` runs these two.
      project("unit", [`${quick}/*.test.ts`], {
        exclude: ["**/*.long.test.ts", ...nightly],
        isolate: false,
        // As deployed, whatever another file's commands set for the process.
        env: { LOG_FOREIGN_MESSAGES: "false" },
      }),
      project("promises", ["test/promises/*.test.ts"]),
      // `npm run test:all` runs these.
      project("long", [`${quick}/*.long.test.ts`, "test/{load,cost}/**/*.test.ts"], {
        exclude: nightly,
        isolate: false,
      }),
      project("stack", ["test/{functions,cli,cloud,local,docs}/**/*.test.ts"], { exclude: nightly }),
      project("chaos", ["test/chaos/*.test.ts"], {
        exclude: nightly,
        isolate: false,
        setupFiles: ["test/chaos/report-seed.ts"],
      }),
      project("package", ["test/{package,release}/**/*.test.ts"], { exclude: nightly }),
      project("browser", ["test/console/**/*.test.ts"], { exclude: nightly, isolate: false }),
      // `.ci/nightly` runs these, too.
      project("nightly", ["test/**/*.nightly.test.ts"]),
    ],
  },
});

function project(name: string, include: string[], more: ProjectOptions = {}) {
  return { extends: true as const, test: { name, include, ...more } };
}

interface ProjectOptions {
  readonly exclude?: string[];
  readonly isolate?: boolean;
  readonly setupFiles?: string[];
  readonly env?: Readonly<Record<string, string>>;
}
