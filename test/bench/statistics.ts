export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly p90: number;
}

/** Least, median and 90th percentile. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { least: at(sorted, 0), median: at(sorted, 0.5), p90: at(sorted, 0.9) };
}

/** The value below which the given share of a sorted list lies. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
