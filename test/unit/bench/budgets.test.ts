import { describe, expect, it } from "vitest";
import { checkBudgets } from "../../bench/budgets.ts";
import type { CaseResult, Results } from "../../bench/results.ts";

const spread = (value: number) => ({ least: value, median: value, p90: value });

/** A case that took this, in milliseconds of CPU. */
function caseOf(name: string, importMs: number, firstMs: number, clockStepMs: number): CaseResult {
  return {
    ...{ name, label: name, bytes: 20_000, gzipBytes: 8_000 },
    ...{ importMs: spread(importMs), importCpuMs: spread(importMs) },
    ...{ firstMs: spread(firstMs), firstCpuMs: spread(firstMs), clockStepMs: spread(clockStepMs) },
    ...{ peakMegabytes: spread(50), warmMegabytes: spread(70) },
    ...{ warmCpuUs: spread(150), warmP50Us: spread(150), warmP99Us: spread(300) },
  };
}

/** A run that keeps every budget, unless the receiver's own times or the clock are others. */
function runOf({
  importMs = 3,
  firstMs = 20,
  clockStepMs = 0.001,
  warmRatio = 1.1,
  consumerMs = 50,
}): Results {
  const ratios = {
    importToObvious: spread(importMs / 80),
    firstToBare: spread(firstMs / 18),
    firstToObvious: spread(firstMs / 110),
    consumerImport: spread(30 / 100),
    consumerFirst: spread(consumerMs / 110),
    consumerAnswer: spread(70 / 150),
  };
  return {
    ...{ measuredOn: "2026-01-01", node: "v24", processor: "one", isPinned: true },
    effort: { coldRounds: 1, warmUpRounds: 0, warmRounds: 1, warmInvocations: 1 },
    ...{ ratios, warmRatio: spread(warmRatio) },
    cases: [
      caseOf("empty", 2, 2, clockStepMs),
      caseOf("bare", 2, 18, clockStepMs),
      caseOf("receiver", importMs, firstMs, clockStepMs),
      caseOf("obvious", 80, 110, clockStepMs),
      caseOf("consumer", 30, consumerMs, clockStepMs),
      caseOf("careless-consumer", 100, 110, clockStepMs),
      caseOf("consumer-reply", 30, 70, clockStepMs),
      caseOf("careless-consumer-reply", 100, 150, clockStepMs),
    ],
  };
}

const overIn = (results: Results) =>
  checkBudgets(results)
    .filter(({ isKept }) => !isKept)
    .map(({ name }) => name);

describe("checkBudgets", () => {
  it("keeps them all with a fast receiver and a fine clock", () => {
    expect(overIn(runOf({}))).toEqual([]);
  });

  it.each([
    [{ firstMs: 24.5 }, "receiver: first acknowledgement, 1.35 × the bare minimum"],
    [{ warmRatio: 1.26 }, "receiver: warm webhook, 1.25 × the bare minimum"],
    [{ warmRatio: 0 }, "receiver: warm webhook, 1.25 × the bare minimum"],
    [{ consumerMs: 67 }, "consumer: first unanswered event, 3/5 of the careless build"],
    [{ importMs: 4.1 }, "receiver: import, 1/20 of the obvious build"],
  ])("says what is over with %j", (changed, name) => {
    expect(overIn(runOf(changed))).toEqual([name]);
  });

  it("keeps no budget with a time that is nothing", () => {
    expect(overIn(runOf({ importMs: 0 }))).toEqual([
      "receiver: import, 4 × the empty handler or 3 ms more",
      "receiver: import, 1/20 of the obvious build",
    ]);
  });

  it("keeps no budget with a time that the clock's step is a large share of", () => {
    const verdicts = checkBudgets(runOf({ clockStepMs: 1 }));

    expect(overIn(runOf({ clockStepMs: 0.1 }))).toEqual([]);
    expect(overIn(runOf({ clockStepMs: 0.15 }))).toEqual([
      "receiver: import, 4 × the empty handler or 3 ms more",
    ]);
    expect(overIn(runOf({ clockStepMs: 0.16 }))).toHaveLength(2);
    expect(verdicts[1]).toMatchObject({
      ...{ isKept: false, measured: "2.00 ± 1.00 ms", limit: "8.00 ms, by a finer clock" },
    });
  });
});
