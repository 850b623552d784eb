import { type Results, resultOf } from "./results.ts";

export interface Verdict {
  readonly name: string;
  readonly isKept: boolean;
  readonly measured: string;
  readonly limit: string;
}

/**
 * Compares one run with the budgets. Times are ratios within the run, of the least CPU time of the main thread: on a
 * busy machine a process waits for its core and finds its caches emptied, and noise of that kind only ever adds. The warm
 * webhook's ratio is a median of turns already; the calmest of its rounds counts.
 */
export function checkBudgets(results: Results): readonly Verdict[] {
  const empty = resultOf(results, "empty");
  const receiver = resultOf(results, "receiver");
  const obvious = resultOf(results, "obvious");
  const consumer = resultOf(results, "consumer");
  const careless = resultOf(results, "careless-consumer");
  const emptyImport = empty.importCpuMs.least;
  const verdict = (name: string, measured: number, limit: number, unit: string): Verdict => ({
    name,
    isKept: measured <= limit,
    measured: `${measured.toFixed(2)} ${unit}`,
    limit: `${limit.toFixed(2)} ${unit}`,
  });
  return [
    verdict("receiver: bundle", receiver.bytes / 1000, 48, "kB"),
    verdict(
      "receiver: import, 4 × the empty handler or 3 ms more",
      receiver.importCpuMs.least,
      Math.max(4 * emptyImport, emptyImport + 3),
      "ms",
    ),
    verdict(
      "receiver: import, 1/20 of the obvious build",
      receiver.importCpuMs.least,
      obvious.importCpuMs.least / 20,
      "ms",
    ),
    verdict(
      "receiver: first acknowledgement, 1/4 of the obvious build",
      receiver.firstCpuMs.least,
      obvious.firstCpuMs.least / 4,
      "ms",
    ),
    verdict("receiver: warm webhook, 1.3 × the bare minimum", results.warmRatio.least, 1.3, "×"),
    verdict(
      "receiver: memory, 10 MB over the empty handler",
      receiver.peakMegabytes.median,
      empty.peakMegabytes.median + 10,
      "MB",
    ),
    verdict(
      "consumer: import, 1/2 of the careless build",
      consumer.importCpuMs.least,
      careless.importCpuMs.least / 2,
      "ms",
    ),
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
