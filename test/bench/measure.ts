import * as z from "zod/mini";
import { createBenchEvent } from "./bench-event.ts";
import type { BenchCase } from "./cases.ts";
import { type ComparisonName, comparisons } from "./comparisons.ts";
import { runSample } from "./run-sample.ts";
import { medianOf } from "./statistics.ts";

const sampleSchema = z.object({
  importCpuMs: z.number(),
  firstCpuMs: z.number(),
  peakMegabytes: z.number(),
  clockStepMs: z.number(),
});

export type Metric = keyof z.infer<typeof sampleSchema>;

/** The medians of what the fresh processes of each case took. */
export interface Measured {
  medianOf(name: string, metric: Metric): number;
  ratioOf(comparison: ComparisonName): number;
}

export interface MeasureOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Fresh processes of each case. */
  readonly rounds: number;
  readonly onRound: (text: string) => void;
}

/** Runs the cases in turns, A B C A B C …, each sample in a fresh process on one core, so that noise affects all alike. */
export async function measure(
  cases: readonly BenchCase[],
  files: ReadonlyMap<string, string>,
  { environment, rounds, onRound }: MeasureOptions,
): Promise<Measured> {
  const samples = new Map<string, z.infer<typeof sampleSchema>[]>(cases.map(({ name }) => [name, []]));
  // The first round only fills the caches of the system.
  for (let round = 0; round <= rounds; round++) {
    onRound(`${round}/${rounds}`);
    for (const { name, event } of cases) {
      const args = [files.get(name) ?? ""];
      const taken = await runSample({
        script: "sample.mjs",
        args,
        environment,
        event: createBenchEvent(event),
      });
      if (round > 0) samples.get(name)?.push(sampleSchema.parse(taken));
    }
  }
  const valuesOf = (name: string, metric: Metric) => samples.get(name)?.map((one) => one[metric]) ?? [];
  return {
    medianOf: (name, metric) => medianOf(valuesOf(name, metric)),
    ratioOf(comparison) {
      const { metric, name, other } = comparisons[comparison];
      const others = valuesOf(other, metric);
      return medianOf(valuesOf(name, metric).map((value, round) => value / (others[round] ?? Number.NaN)));
    },
  };
}
