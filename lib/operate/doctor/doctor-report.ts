import type { Finding } from "./finding.ts";

export interface DoctorReport {
  readonly ok: number;
  /** Except healthy ones. */
  readonly findings: readonly Finding[];
  /** The next run begins with them. */
  readonly notLookedAt: readonly string[];
}
