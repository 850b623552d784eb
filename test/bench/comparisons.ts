import { type Spread, spreadOf } from "./statistics.ts";

interface Comparison {
  readonly metric: "importCpuMs" | "firstCpuMs";
  readonly name: string;
  readonly other: string;
}

/** What budgets compare: how much CPU one case takes for each of another's. */
export const comparisons = {
  importToObvious: { metric: "importCpuMs", name: "receiver", other: "obvious" },
  firstToBare: { metric: "firstCpuMs", name: "receiver", other: "bare" },
  firstToObvious: { metric: "firstCpuMs", name: "receiver", other: "obvious" },
  consumerImport: { metric: "importCpuMs", name: "consumer", other: "careless-consumer" },
  consumerFirst: { metric: "firstCpuMs", name: "consumer", other: "careless-consumer" },
  consumerAnswer: { metric: "firstCpuMs", name: "consumer-reply", other: "careless-consumer-reply" },
} as const satisfies Record<string, Comparison>;

export type ComparisonName = keyof typeof comparisons;
export type Ratios = Readonly<Record<ComparisonName, Spread>>;

/**
 * Compares the cases within each round, where what slows one slows the other: over 150 rounds on 2 busy cores
 * the median of 11 such ratios stayed within 5 % in 98 of 100, the ratio of two leasts within 40 %.
 */
export function compareByRound(
  valuesOf: (name: string, metric: Comparison["metric"]) => readonly number[],
): Ratios {
  const spreadIn = ({ metric, name, other }: Comparison) => {
    const others = valuesOf(other, metric);
    return spreadOf(valuesOf(name, metric).map((value, round) => value / (others[round] ?? Number.NaN)));
  };
  return {
    importToObvious: spreadIn(comparisons.importToObvious),
    firstToBare: spreadIn(comparisons.firstToBare),
    firstToObvious: spreadIn(comparisons.firstToObvious),
    consumerImport: spreadIn(comparisons.consumerImport),
    consumerFirst: spreadIn(comparisons.consumerFirst),
    consumerAnswer: spreadIn(comparisons.consumerAnswer),
  };
}
