import type { Verdict } from "../budgets.ts";
import { measureGateway } from "./measure-gateway.ts";
import { measureStart } from "./measure-start.ts";

/** Compares with the budgets: what a person waits for, or on a slow machine its ratio to what is needed in any case. */
export async function checkLocalWorld(rounds: number): Promise<readonly Verdict[]> {
  const { p50Ms, bareP50Ms } = await measureGateway(rounds);
  const { startMs, bareStartMs } = await measureStart(4); // the later starts find their caches filled
  const verdict = (name: string, measuredMs: number, limitMs: number): Verdict => ({
    name: `local stack: ${name}`,
    isKept: measuredMs < limitMs,
    measured: `${measuredMs.toFixed(2)} ms`,
    limit: `${limitMs.toFixed(2)} ms`,
  });
  return [
    verdict("gateway and runtime, 2 ms or 10 × a bare server", p50Ms, Math.max(2, 10 * bareP50Ms)),
    verdict("start to first reply, 3 s or 50 × a bare process", startMs, Math.max(3_000, 50 * bareStartMs)),
  ];
}
