import { epochMs } from "../../../local/testing/simulated/clock.ts";
import { seed } from "../seeds.ts";
import type { Reception } from "./chat-platform.ts";
import type { Fate } from "./faults.ts";
import { judge, type Verdict } from "./judge.ts";
import { type PausePlan, planPauses } from "./pause-desk.ts";
import type { Fact } from "./sender.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

export const minute = 60_000;
export const hour = 60 * minute;

export interface Messages {
  /** Their number: `m0`, `m1` and so on. */
  readonly messages: number;
  /** Their conversations, in turn: `g0`, `g1` and so on. */
  readonly conversations: number;
  readonly everyMs: number;
}

export type SentFact = Parameters<World["send"]>[0];

export interface PlayOptions extends Partial<WorldOptions> {
  readonly facts: Iterable<SentFact> | ((world: World) => Iterable<SentFact>);
  readonly pauses?: readonly PausePlan[];
  /** The run does not end before, in milliseconds since the start. */
  readonly untilMs?: number;
  /** The latest end of the run. Default: 48. */
  readonly hours?: number;
}

/** Sends occurrences to a world, and lets it run until all are handled. */
export async function play({
  facts,
  pauses = [],
  untilMs = 0,
  hours = 48,
  ...options
}: PlayOptions): Promise<{ readonly world: World; readonly verdict: Verdict }> {
  const world = createWorld({ seed, ...options });
  try {
    planPauses(world, pauses);
    for (const fact of typeof facts === "function" ? facts(world) : facts) world.send(fact);
    if (untilMs > 0) await world.clock.run({ untilMs: epochMs + untilMs });
    await world.run(hours * hour);
    return { world, verdict: judge(world) };
  } finally {
    world.close();
  }
}

export function inTurn({ messages, conversations, everyMs, ...more }: Messages & Partial<Fact>): SentFact[] {
  return upTo(messages, (n) => ({
    id: `m${n}`,
    conversation: `g${n % conversations}`,
    atMs: n * everyMs,
    ...more,
  }));
}

/** Makes one for each number from 0 on. */
export function upTo<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

export const well: Reception = { kind: "well" };

export function answer(status: number, code?: string): Reception {
  return { kind: "answer", status, ...(code !== undefined && { code }) };
}

/** Whether a moment lies within a span since the start. */
export function isWithin(nowMs: number, fromMs: number, toMs: number): boolean {
  return nowMs >= epochMs + fromMs && nowMs < epochMs + toMs;
}

/** The platform receives everything like this in a span since the start. */
export function platformDuring(
  fromMs: number,
  toMs: number,
  reception: Reception,
): NonNullable<WorldOptions["receptionOf"]> {
  return (_, nowMs) => (isWithin(nowMs, fromMs, toMs) ? reception : well);
}

/** The same for requests to the tables. */
export function tablesDuring(fromMs: number, toMs: number, fate: Fate): NonNullable<WorldOptions["fateOf"]> {
  return (operation, _, nowMs) =>
    operation.startsWith("dynamodb.") && isWithin(nowMs, fromMs, toMs) ? fate : "answered";
}
