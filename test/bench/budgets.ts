import { type ComparisonName, comparisons } from "./comparisons.ts";
import { type Results, resultOf } from "./results.ts";

export interface Verdict {
  readonly name: string;
  readonly isKept: boolean;
  readonly measured: string;
  readonly limit: string;
}

/** CPU of a warm webhook for each of the bare minimum's. */
export const warmLimit = 1.25;

/** A time counts as measured when the clock's usual step is at most this share of it. */
const greatestShareOfStep = 1 / 20;

/**
 * Compares one run with the budgets. Times are CPU of the main thread, compared with another case's in the
 * same round; the median of the rounds counts. The warm webhook's ratio is a median of turns already, and
 * noise of other processes only ever adds to it: the calmest of its rounds counts. A time that the clock
 * cannot show keeps no budget.
 */
export function checkBudgets(results: Results): readonly Verdict[] {
  const empty = resultOf(results, "empty");
  const receiver = resultOf(results, "receiver");
  const consumer = resultOf(results, "consumer");
  const emptyImportMs = empty.importCpuMs.median;
  const stepMs = Math.max(...results.cases.map(({ clockStepMs }) => clockStepMs.median));
  const verdict = (name: string, measured: number, limit: number, unit: string): Verdict => ({
    name,
    isKept: measured > 0 && measured <= limit,
    measured: `${measured.toFixed(2)} ${unit}`,
    limit: `${limit.toFixed(2)} ${unit}`,
  });
  const ofTimes = (told: Verdict, timesMs: readonly number[]): Verdict => {
    const leastMs = Math.min(...timesMs);
    if (stepMs <= leastMs * greatestShareOfStep) return told;
    const measured = `${leastMs.toFixed(2)} ± ${stepMs.toFixed(2)} ms`;
    return { ...told, isKept: false, measured, limit: `${told.limit}, by a finer clock` };
  };
  const ratio = (name: string, comparison: ComparisonName, limit: number): Verdict => {
    const { metric, name: one, other } = comparisons[comparison];
    const times = [resultOf(results, one)[metric].median, resultOf(results, other)[metric].median];
    return ofTimes(verdict(name, results.ratios[comparison].median, limit, "×"), times);
  };
  return [
    verdict("receiver: bundle", receiver.bytes / 1000, 36.6, "kB"),
    ofTimes(
      verdict(
        "receiver: import, 4 × the empty handler or 3 ms more",
        receiver.importCpuMs.median,
        Math.max(4 * emptyImportMs, emptyImportMs + 3),
        "ms",
      ),
      [receiver.importCpuMs.median, emptyImportMs],
    ),
    ratio("receiver: import, 1/20 of the obvious build", "importToObvious", 1 / 20),
    ratio("receiver: first acknowledgement, 1.45 × the bare minimum", "firstToBare", 1.45),
    ratio("receiver: first acknowledgement, 1/4 of the obvious build", "firstToObvious", 1 / 4),
    verdict(
      `receiver: warm webhook, ${warmLimit} × the bare minimum`,
      results.warmRatio.least,
      warmLimit,
      "×",
    ),
    verdict(
      "receiver: memory, 10 MB over the empty handler",
      receiver.peakMegabytes.median,
      empty.peakMegabytes.median + 10,
      "MB",
    ),
    ratio("consumer: import, 1/2 of the careless build", "consumerImport", 1 / 2),
    verdict(
      "consumer: bundle, all that is loaded until its first event ends",
      consumer.bytes / 1000,
      280.2,
      "kB",
    ),
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
