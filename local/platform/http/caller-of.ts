import type { Caller } from "../faults/rules.ts";

/** Deployed functions send a trace; requests of their own code may lack it, and have no user agent. */
export function callerOf(userAgent: string | undefined, traceparent: string | undefined): Caller {
  if (userAgent === consoleAgent) return "console";
  const hasTrace = /^[0-9a-f]{2}-[0-9a-f]{32}-/.test(traceparent ?? "");
  return userAgent === undefined || hasTrace ? "function" : "other";
}

/** The user agent of the local stack's console. */
export const consoleAgent = "local-console";
