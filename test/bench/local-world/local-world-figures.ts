import type { Verdict } from "../budgets.ts";
import { type GatewayFigures, measureGateway } from "./measure-gateway.ts";
import { measureStart, type StartFigures } from "./measure-start.ts";

/** How quick the local world is. */
export interface LocalWorldFigures extends GatewayFigures, StartFigures {}

/** Measures the gateway and the start; the later starts find their caches filled. */
export async function measureLocalWorld(rounds: number): Promise<LocalWorldFigures> {
  return { ...(await measureGateway(rounds)), ...(await measureStart(4)) };
}

export function toLocalWorldLines(figures: LocalWorldFigures): string {
  const { p50Ms, bareP50Ms, cpuMs, startMs, bareStartMs } = figures;
  const ratio = (p50Ms / bareP50Ms).toFixed(1);
  const startRatio = (startMs / bareStartMs).toFixed(0);
  return [
    `local gateway and runtime: ${p50Ms.toFixed(2)} ms an invocation, ${ratio} × a bare server's ${bareP50Ms.toFixed(2)} ms; CPU ${cpuMs.toFixed(2)} ms`,
    `npm start to the first reply: ${(startMs / 1000).toFixed(2)} s, ${startRatio} × a bare process's ${bareStartMs.toFixed(0)} ms`,
  ].join("\n");
}

/** Compares with the budgets: what a person waits for, or on a slow machine its ratio to what nobody could leave out. */
export function checkLocalWorld(figures: LocalWorldFigures): readonly Verdict[] {
  const { p50Ms, bareP50Ms, startMs, bareStartMs } = figures;
  const limitMs = Math.max(2, 10 * bareP50Ms);
  const startLimitMs = Math.max(3_000, 50 * bareStartMs);
  return [
    {
      name: "local world: gateway and runtime, 2 ms or 10 × a bare server",
      isKept: p50Ms < limitMs,
      measured: `${p50Ms.toFixed(2)} ms`,
      limit: `${limitMs.toFixed(2)} ms`,
    },
    {
      name: "local world: start to first reply, 3 s or 50 × a bare process",
      isKept: startMs < startLimitMs,
      measured: `${(startMs / 1000).toFixed(2)} s`,
      limit: `${(startLimitMs / 1000).toFixed(2)} s`,
    },
  ];
}
