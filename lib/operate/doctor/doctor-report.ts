import type { Finding } from "./finding.ts";

/** What the scheduled function found. */
export interface DoctorReport {
  readonly ok: number;
  /** All but what is well. */
  readonly findings: readonly Finding[];
  /** Apps that were not looked at, as time was up: the next run begins with others. */
  readonly notLookedAt: readonly string[];
}
