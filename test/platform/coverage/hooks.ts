import type { RunnerTask } from "vitest";

/**
 * The hooks of observe.ts before each test and after each file. test/helpers/setup.ts calls them for every
 * file: of the files that share a worker, only the first loads observe.ts, whose own hooks would be those of
 * that file only.
 */
export const coverageHooks: { begin(task: RunnerTask): void; end(): void } = { begin() {}, end() {} };
