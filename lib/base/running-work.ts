import type { LogFields } from "./log.ts";

const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");

/** Names what runs, for the line of an error that nothing caught. */
export const runningWork = new AsyncLocalStorage<LogFields>();
