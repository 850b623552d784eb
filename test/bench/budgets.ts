import { type Results, resultOf } from "./results.ts";

export interface Verdict {
  readonly name: string;
  readonly isKept: boolean;
  readonly measured: string;
  readonly limit: string;
}

/** A time counts as measured when the clock's smallest step is at most this share of it. */
const greatestShareOfStep = 1 / 20;

/**
 * Compares one run with the budgets. Times are ratios within the run, of the least CPU time of the main thread: on a
 * busy machine a process waits for its core and finds its caches emptied, and noise of that kind only ever adds. The warm
 * webhook's ratio is a median of turns already; the calmest of its rounds counts. A time that the clock cannot show keeps
 * no budget.
 */
export function checkBudgets(results: Results): readonly Verdict[] {
  const empty = resultOf(results, "empty");
  const bare = resultOf(results, "bare");
  const receiver = resultOf(results, "receiver");
  const obvious = resultOf(results, "obvious");
  const consumer = resultOf(results, "consumer");
  const careless = resultOf(results, "careless-consumer");
  const answering = resultOf(results, "consumer-reply");
  const carelessAnswering = resultOf(results, "careless-consumer-reply");
  const emptyImport = empty.importCpuMs.least;
  const stepMs = Math.max(...results.cases.map(({ clockStepMs }) => clockStepMs.least));
  const verdict = (name: string, measured: number, limit: number, unit: string): Verdict => ({
    name,
    isKept: measured > 0 && measured <= limit,
    measured: `${measured.toFixed(2)} ${unit}`,
    limit: `${limit.toFixed(2)} ${unit}`,
  });
  const time = (name: string, measuredMs: number, limitMs: number): Verdict => {
    if (stepMs <= measuredMs * greatestShareOfStep) return verdict(name, measuredMs, limitMs, "ms");
    const measured = `${measuredMs.toFixed(2)} ± ${stepMs.toFixed(2)} ms`;
    return { name, isKept: false, measured, limit: `${limitMs.toFixed(2)} ms, by a finer clock` };
  };
  return [
    verdict("receiver: bundle", receiver.bytes / 1000, 35, "kB"),
    time(
      "receiver: import, 4 × the empty handler or 3 ms more",
      receiver.importCpuMs.least,
      Math.max(4 * emptyImport, emptyImport + 3),
    ),
    time(
      "receiver: import, 1/20 of the obvious build",
      receiver.importCpuMs.least,
      obvious.importCpuMs.least / 20,
    ),
    time(
      "receiver: first acknowledgement, 1.35 × the bare minimum",
      receiver.firstCpuMs.least,
      bare.firstCpuMs.least * 1.35,
    ),
    time(
      "receiver: first acknowledgement, 1/4 of the obvious build",
      receiver.firstCpuMs.least,
      obvious.firstCpuMs.least / 4,
    ),
    verdict("receiver: warm webhook, 1.25 × the bare minimum", results.warmRatio.least, 1.25, "×"),
    verdict(
      "receiver: memory, 10 MB over the empty handler",
      receiver.peakMegabytes.median,
      empty.peakMegabytes.median + 10,
      "MB",
    ),
    time(
      "consumer: import, 1/2 of the careless build",
      consumer.importCpuMs.least,
      careless.importCpuMs.least / 2,
    ),
    verdict(
      "consumer: bundle, all that is loaded until its first event ends",
      consumer.bytes / 1000,
      300,
      "kB",
    ),
    time(
      "consumer: first unanswered event, 3/5 of the careless build",
      consumer.firstCpuMs.least,
      careless.firstCpuMs.least * 0.6,
    ),
    time(
      "consumer: first answered event, 1/2 of the careless build",
      answering.firstCpuMs.least,
      carelessAnswering.firstCpuMs.least / 2,
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
