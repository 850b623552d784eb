import * as z from "zod/mini";
import { createBenchEvent } from "./bench-event.ts";
import type { Bundle } from "./bundle-cases.ts";
import { runSample } from "./run-sample.ts";
import { type Spread, spreadOf } from "./statistics.ts";

const pairSchema = z.object({ ratio: z.number() });

/**
 * Measures how much CPU a warm webhook takes this receiver for each of the bare minimum's, in turns within
 * one process: two processes, minutes apart, would compare two moments of a busy machine.
 * @param enough a ratio that ends the rounds early
 */
export async function measureWarmRatio(
  bundles: ReadonlyMap<string, Bundle>,
  {
    environment,
    rounds,
    enough,
  }: { environment: Readonly<Record<string, string>>; rounds: number; enough: number },
): Promise<Spread> {
  const files = ["receiver", "bare"].map((name) => bundles.get(name)?.file ?? "");
  const ratios: number[] = [];
  while (ratios.length < rounds && !ratios.some((ratio) => ratio <= enough)) {
    const event = createBenchEvent("platform");
    const args = [...files, "25"];
    const sample = await runSample({ script: "sample-pair.mjs", args, environment, event });
    ratios.push(pairSchema.parse(sample).ratio);
  }
  return spreadOf(ratios);
}
