import type { LogFields } from "./log.ts";

const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");

/** What runs, for the log line of an error that nothing caught. */
export const runningWork = new AsyncLocalStorage<LogFields>();
