import * as z from "zod/mini";
import { createBenchEvent } from "./bench-event.ts";
import type { Bundle } from "./bundle-cases.ts";
import type { BenchCase } from "./cases.ts";
import { compareByRound, type Ratios } from "./comparisons.ts";
import { runSample } from "./run-sample.ts";
import { type Spread, spreadOf } from "./statistics.ts";

export interface Effort {
  /** Fresh processes of each case; `warmUpRounds` more come first and do not count. */
  readonly coldRounds: number;
  readonly warmUpRounds: number;
  readonly warmRounds: number;
  readonly warmInvocations: number;
}

const coldSchema = z.object({
  importMs: z.number(),
  importCpuMs: z.number(),
  firstMs: z.number(),
  firstCpuMs: z.number(),
  peakMegabytes: z.number(),
  clockStepMs: z.number(),
});
const warmSchema = z.object({
  warmCpuUs: z.number(),
  warmP50Us: z.number(),
  warmP99Us: z.number(),
  warmMegabytes: z.number(),
});

export type Metric = keyof z.infer<typeof coldSchema> | keyof z.infer<typeof warmSchema>;
export type Measured = Readonly<Record<Metric, Spread>>;

/** Runs the cases in turns, A B C A B C …, each sample in a fresh process, to spread noise evenly. */
export async function measure(
  cases: readonly BenchCase[],
  bundles: ReadonlyMap<string, Bundle>,
  {
    environment,
    effort,
    onRound,
  }: { environment: Readonly<Record<string, string>>; effort: Effort; onRound: (text: string) => void },
): Promise<{ measured: ReadonlyMap<string, Measured>; ratios: Ratios }> {
  const samples = new Map(cases.map(({ name }) => [name, new Map<string, number[]>()]));
  const note = (name: string, values: Record<string, number>) => {
    for (const [metric, value] of Object.entries(values)) {
      const known = samples.get(name);
      known?.set(metric, [...(known.get(metric) ?? []), value]);
    }
  };
  const run = ({ name, dialect }: BenchCase, warmInvocations: number) =>
    runSample({
      script: "sample.mjs",
      args: [bundles.get(name)?.file ?? "", String(warmInvocations)],
      environment,
      event: createBenchEvent(dialect),
    });

  const { coldRounds, warmUpRounds, warmRounds, warmInvocations } = effort;
  for (let round = 1 - warmUpRounds; round <= coldRounds; round++) {
    onRound(`cold ${Math.max(round, 0)}/${coldRounds}`);
    for (const one of cases) {
      const sample = coldSchema.parse(await run(one, 0));
      if (round > 0) note(one.name, sample);
    }
  }
  for (let round = 1; round <= warmRounds; round++) {
    onRound(`warm ${round}/${warmRounds}`);
    for (const one of cases) note(one.name, warmSchema.parse(await run(one, warmInvocations)));
  }
  const valuesOf = (name: string, metric: Metric) => samples.get(name)?.get(metric) ?? [];
  const measured = new Map(
    cases.map(({ name }) => {
      const spread = (metric: Metric) => spreadOf(valuesOf(name, metric));
      return [
        name,
        {
          importMs: spread("importMs"),
          importCpuMs: spread("importCpuMs"),
          firstMs: spread("firstMs"),
          firstCpuMs: spread("firstCpuMs"),
          peakMegabytes: spread("peakMegabytes"),
          clockStepMs: spread("clockStepMs"),
          warmCpuUs: spread("warmCpuUs"),
          warmP50Us: spread("warmP50Us"),
          warmP99Us: spread("warmP99Us"),
          warmMegabytes: spread("warmMegabytes"),
        },
      ];
    }),
  );
  return { measured, ratios: compareByRound(valuesOf) };
}
