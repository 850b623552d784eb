import type { Verdict } from "../budgets.ts";
import { type GatewayFigures, measureGateway } from "./measure-gateway.ts";
import { measureStart } from "./measure-start.ts";

/** How quick the local world is. */
export interface LocalWorldFigures extends GatewayFigures {
  readonly startMs: number;
}

/** Measures the gateway and the start; the second of two starts finds its caches filled. */
export async function measureLocalWorld(rounds: number): Promise<LocalWorldFigures> {
  return { ...(await measureGateway(rounds)), startMs: await measureStart(2) };
}

export function toLocalWorldLines({ p50Ms, bareP50Ms, cpuMs, startMs }: LocalWorldFigures): string {
  const ratio = (p50Ms / bareP50Ms).toFixed(1);
  return [
    `local gateway and runtime: ${p50Ms.toFixed(2)} ms an invocation, ${ratio} × a bare server's ${bareP50Ms.toFixed(2)} ms; CPU ${cpuMs.toFixed(2)} ms`,
    `npm start to the first reply: ${(startMs / 1000).toFixed(1)} s`,
  ].join("\n");
}

export function checkLocalWorld({ p50Ms, startMs }: LocalWorldFigures): readonly Verdict[] {
  return [
    {
      name: "local world: gateway and runtime, an invocation",
      isKept: p50Ms < 2,
      measured: `${p50Ms.toFixed(2)} ms`,
      limit: "2.00 ms",
    },
    {
      name: "local world: from start to the first reply",
      isKept: startMs < 3_000,
      measured: `${(startMs / 1000).toFixed(2)} s`,
      limit: "3.00 s",
    },
  ];
}
