import { statSync } from "node:fs";
import { type ComparisonName, comparisons } from "./comparisons.ts";
import type { Measured } from "./measure.ts";

export interface Verdict {
  readonly name: string;
  readonly isKept: boolean;
  readonly measured: string;
  readonly limit: string;
}

/** A time counts as measured when the clock's usual step is at most this share of it. */
const greatestShareOfStep = 1 / 20;

/**
 * Compares one run with the budgets. Times are CPU of the main thread; the median of the rounds counts. A time that the
 * clock cannot show keeps no budget.
 */
export function checkBudgets(
  { medianOf, ratioOf }: Measured,
  warmRatio: number,
  files: ReadonlyMap<string, string>,
): readonly Verdict[] {
  const emptyImportMs = medianOf("empty", "importCpuMs");
  const stepMs = Math.max(...[...files.keys()].map((name) => medianOf(name, "clockStepMs")));
  const verdict = (name: string, measured: number, limit: number, unit: string): Verdict => ({
    name,
    isKept: measured > 0 && measured <= limit,
    measured: `${measured.toFixed(2)} ${unit}`,
    limit: `${limit.toFixed(2)} ${unit}`,
  });
  const bundle = (name: string, limit: number) =>
    verdict(`${name}: bundle`, statSync(files.get(name) ?? "").size / 1000, limit, "kB");
  const ofTimes = (told: Verdict, timesMs: readonly number[]): Verdict => {
    const leastMs = Math.min(...timesMs);
    if (stepMs <= leastMs * greatestShareOfStep) return told;
    const measured = `${leastMs.toFixed(2)} ± ${stepMs.toFixed(2)} ms`;
    return { ...told, isKept: false, measured, limit: `${told.limit}, by a finer clock` };
  };
  const ratio = (name: string, comparison: ComparisonName, limit: number): Verdict => {
    const { metric, name: one, other } = comparisons[comparison];
    const times = [medianOf(one, metric), medianOf(other, metric)];
    return ofTimes(verdict(name, ratioOf(comparison), limit, "×"), times);
  };
  const importMs = medianOf("receiver", "importCpuMs");
  const importLimitMs = Math.max(4 * emptyImportMs, emptyImportMs + 3);
  const memoryLimit = medianOf("empty", "peakMegabytes") + 10;
  return [
    bundle("receiver", 36),
    ofTimes(verdict("receiver: import, 4 × the empty handler or 3 ms more", importMs, importLimitMs, "ms"), [
      importMs,
      emptyImportMs,
    ]),
    ratio("receiver: first acknowledgement, 1.35 × the bare minimum", "firstToBare", 1.35),
    verdict("receiver: warm webhook, 1.25 × the bare minimum", warmRatio, 1.25, "×"),
    verdict(
      "receiver: memory, 10 MB over the empty handler",
      medianOf("receiver", "peakMegabytes"),
      memoryLimit,
      "MB",
    ),
    ratio("consumer: import, 1/2 of the careless build", "consumerImport", 1 / 2),
    bundle("consumer", 321),
    ratio("consumer: first unanswered event, 3/5 of the careless build", "consumerFirst", 3 / 5),
    ratio("consumer: first answered event, 1/2 of the careless build", "consumerAnswer", 1 / 2),
  ];
}

export function toVerdictLines(verdicts: readonly Verdict[]): string {
  return verdicts
    .map(
      ({ name, isKept, measured, limit }) =>
        `${isKept ? "ok  " : "OVER"}  ${name.padEnd(62)}${measured.padStart(12)}  of ${limit}`,
    )
    .join("\n");
}
