import { epochMs } from "../../../local/testing/world/clock.ts";
import type { Fate } from "../../../local/testing/world/faults.ts";
import { seed } from "../seeds.ts";
import type { Reception } from "./chat-platform.ts";
import { judge, type Verdict } from "./judge.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

export const minute = 60_000;
export const hour = 60 * minute;

export interface Messages {
  /** How many there are: `m0`, `m1` and so on. */
  readonly messages: number;
  /** They come in these in turn: `g0`, `g1` and so on. */
  readonly conversations: number;
  readonly everyMs: number;
}

export interface PlayOptions extends Messages, Partial<WorldOptions> {
  /** When the run ends at the latest. Default: 48. */
  readonly hours?: number;
}

/** Sends messages to a world, and lets it run until all are handled. */
export async function play({
  hours = 48,
  ...options
}: PlayOptions): Promise<{ readonly world: World; readonly verdict: Verdict }> {
  const world = createWorld({ seed, ...options });
  sendInTurn(world, options);
  await world.run(hours * hour);
  world.close();
  return { world, verdict: judge(world) };
}

export function sendInTurn(world: World, { messages, conversations, everyMs }: Messages): void {
  for (let number = 0; number < messages; number += 1) {
    world.send({ id: `m${number}`, conversation: `g${number % conversations}`, atMs: number * everyMs });
  }
}

export const well: Reception = { kind: "well" };

export function answer(status: number, code?: string): Reception {
  return { kind: "answer", status, ...(code !== undefined && { code }) };
}

/** Whether a moment lies within a span since the world began. */
export function isWithin(nowMs: number, fromMs: number, toMs: number): boolean {
  return nowMs >= epochMs + fromMs && nowMs < epochMs + toMs;
}

/** The platform receives everything like this in a span since the world began. */
export function platformDuring(
  fromMs: number,
  toMs: number,
  reception: Reception,
): NonNullable<WorldOptions["receptionOf"]> {
  return (_, nowMs) => (isWithin(nowMs, fromMs, toMs) ? reception : well);
}

/** The same of requests to the tables. */
export function tablesDuring(fromMs: number, toMs: number, fate: Fate): NonNullable<WorldOptions["fateOf"]> {
  return (operation, _, nowMs) =>
    operation.startsWith("dynamodb.") && isWithin(nowMs, fromMs, toMs) ? fate : "answered";
}
