import type { FaultsAnswer } from "../../../api/world-faults.ts";

/** Whom the faults hit that are turned on next, and when they end. */
export interface Aim {
  readonly callers?: "functions";
  readonly untilMs?: number;
}

export interface CloudProps {
  readonly answer: FaultsAnswer;
  readonly set: (cloud: FaultsAnswer["cloud"]) => Promise<void>;
}

export function timesOf(count: number): string {
  if (count === 0) return "never occurred";
  return count === 1 ? "occurred once" : `occurred ${count.toLocaleString()} times`;
}
