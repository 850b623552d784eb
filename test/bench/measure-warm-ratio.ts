import * as z from "zod/mini";
import { createBenchEvent } from "./bench-event.ts";
import { runSample } from "./run-sample.ts";

const pairSchema = z.object({ ratio: z.number() });

/**
 * Measures how much CPU a warm webhook takes this receiver for each of the bare minimum's, in turns within one process:
 * two processes, minutes apart, would compare two moments of a busy machine. Returns the ratio of the calmest round,
 * since other processes only ever add to it.
 */
export async function measureWarmRatio(
  files: ReadonlyMap<string, string>,
  { environment, rounds }: { environment: Readonly<Record<string, string>>; rounds: number },
): Promise<number> {
  const args = [...["receiver", "bare"].map((name) => files.get(name) ?? ""), "25"];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const event = createBenchEvent("webhook");
    const sample = await runSample({ script: "sample-pair.mjs", args, environment, event });
    least = Math.min(least, pairSchema.parse(sample).ratio);
  }
  return least;
}
