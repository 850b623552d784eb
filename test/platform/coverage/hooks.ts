import type { RunnerTask } from "vitest";

/**
 * What observe.ts does before each test and after each file. test/helpers/setup.ts calls it for every file: of the files that share
 * a worker, only the first loads observe.ts, whose own hooks would be those of that file alone.
 */
export const coverageHooks: { begin(task: RunnerTask): void; end(): void } = { begin() {}, end() {} };
