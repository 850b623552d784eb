import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Bundle } from "./bundle-cases.ts";
import type { BenchCase } from "./cases.ts";
import type { Ratios } from "./comparisons.ts";
import type { Effort, Measured } from "./measure.ts";
import type { Spread } from "./statistics.ts";

export interface CaseResult extends Measured {
  readonly name: string;
  readonly label: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

export interface Results {
  readonly measuredOn: string;
  readonly node: string;
  readonly processor: string;
  /** Whether each sample kept to one core. */
  readonly isPinned: boolean;
  readonly effort: Effort;
  /** CPU of one case for each of another's, within each round. */
  readonly ratios: Ratios;
  /** CPU of a warm webhook: this receiver's for each of the bare minimum's. */
  readonly warmRatio: Spread;
  readonly cases: readonly CaseResult[];
}

export function toResults(
  cases: readonly BenchCase[],
  bundles: ReadonlyMap<string, Bundle>,
  measured: ReadonlyMap<string, Measured>,
  facts: { effort: Effort; isPinned: boolean; ratios: Ratios; warmRatio: Spread },
): Results {
  return {
    measuredOn: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: `${cpus().length} × ${cpus()[0]?.model.trim() || processorName()}`,
    ...facts,
    cases: cases.flatMap(({ name, label }) => {
      const bundle = bundles.get(name);
      const values = measured.get(name);
      if (bundle === undefined || values === undefined) return [];
      return [{ name, label, bytes: bundle.bytes, gzipBytes: bundle.gzipBytes, ...values }];
    }),
  };
}

export function resultOf({ cases }: Results, name: string): CaseResult {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`This run did not measure ${name}.`);
  return found;
}

function processorName() {
  try {
    return /^model name\s*:\s*(.+)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? process.arch;
  } catch {
    return process.arch;
  }
}
