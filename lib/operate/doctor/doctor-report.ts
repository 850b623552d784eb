import type { Finding } from "./finding.ts";

export interface DoctorReport {
  readonly ok: number;
  /** All findings except healthy ones. */
  readonly findings: readonly Finding[];
  /** Apps that were not checked in time: the next run begins with others. */
  readonly notLookedAt: readonly string[];
}
