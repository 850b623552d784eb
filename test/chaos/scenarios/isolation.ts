import { onTrigger, type TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { type Clock, epochMs } from "../../../local/testing/simulated/clock.ts";
import type { Process } from "../../../local/testing/simulated/process.ts";
import type { Reception } from "../world/chat-platform.ts";
import { replyAs } from "../world/handlers.ts";
import { judge, percentile, type Verdict } from "../world/judge.ts";
import { hour, isWithin, minute, play, upTo, well } from "../world/play.ts";
import type { World } from "../world/world.ts";

/** What the trigger `own` does instead of its work. */
export type Trouble = "throw" | "hang" | "block" | "exit";

export interface IsolationOptions {
  readonly seed: number;
  readonly concurrency: number;
  /** How long messages arrive. */
  readonly hours: number;
  /** The reception of the reads of the trigger `own` meanwhile. Default: they are answered. */
  readonly outage?: Reception;
  /** What one user's messages, one a minute, do to the trigger `own` in the group `g0`. Default: nothing. */
  readonly trouble?: Trouble;
  /** What each message does to it while messages arrive. Default: nothing. */
  readonly bug?: Trouble;
  readonly isInShadow?: boolean;
  readonly isBurst?: boolean;
  readonly messages: number;
  /** Default: 20. */
  readonly groups?: number;
}

export interface IsolationFigures {
  readonly verdict: Verdict;
  /** From the queue to the reply, ascending, in milliseconds. */
  readonly replyMs: readonly number[];
  /** The same of the group with the failing user. */
  readonly groupReplyMs: readonly number[];
  /** From the queue to the end of `own` for the others in that group; for all users without a failing one. */
  readonly ownMs: readonly number[];
  /** Messages that `own` handled before an earlier one of the same conversation. */
  readonly ownOutOfOrder: readonly string[];
  /** From the end of the bug to the last work of `own`. */
  readonly recoveryMs: number;
}

/**
 * Messages of many groups for hours. Of two triggers, the first one fails; the other one replies.
 */
export async function runIsolation(options: IsolationOptions): Promise<IsolationFigures> {
  const {
    seed,
    concurrency,
    hours,
    outage,
    trouble,
    bug,
    isInShadow,
    isBurst,
    messages,
    groups = 20,
  } = options;
  const done = new Map<string, number>();
  const inTrouble = trouble === undefined ? 0 : 60 * hours;
  const text = `own: ${trouble}`;
  const { world } = await play({
    seed,
    maximumConcurrency: concurrency,
    enabledTriggers: isInShadow ? "own (shadow),reply" : "own,reply",
    hours: 100,
    receptionOf: ({ method }, nowMs) =>
      outage !== undefined && method === "GET" && isWithin(nowMs, 0, hours * hour) ? outage : well,
    triggersOf: (process, clock) => {
      const troubleOf = (text: string) =>
        isWithin(clock.now(), 0, hours * hour) && bug !== undefined ? bug : text.replace("own: ", "");
      return twoTriggers(process, clock, done, troubleOf, outage !== undefined);
    },
    facts: [
      ...upTo(messages, (n) => ({
        id: `m${n}`,
        conversation: `g${n % groups}`,
        atMs: Math.floor((n * hours * hour) / messages) + 500,
      })),
      // Harmless ones in the same batch, before it.
      ...upTo(isBurst ? 4 * inTrouble : 0, (n) => ({
        id: `burst-${n}`,
        conversation: "g0",
        atMs: Math.floor(n / 4) * minute,
      })),
      ...upTo(inTrouble, (n) => ({ id: `bad-${n}`, conversation: "g0", atMs: n * minute, text })),
      // The rest of the failing user's group: a message every twelve seconds.
      ...upTo(5 * inTrouble, (n) => ({ id: `group-${n}`, conversation: "g0", atMs: n * 12_000 + 3_000 })),
    ],
  });
  return { ...figuresOf(world, done), recoveryMs: Math.max(...done.values()) - epochMs - hours * hour };
}

function figuresOf(world: World, done: ReadonlyMap<string, number>): Omit<IsolationFigures, "recoveryMs"> {
  const verdict = judge(world);
  const lastAt = new Map<string, number>();
  const ownOutOfOrder: string[] = [];
  for (const id of world.enqueued.keys()) {
    const conversation = world.delivered.get(id)?.conversation ?? "";
    const atMs = done.get(id);
    if (atMs === undefined) continue;
    if (atMs < (lastAt.get(conversation) ?? 0)) ownOutOfOrder.push(id);
    lastAt.set(conversation, atMs);
  }
  const inTrouble = (id: string) => world.delivered.get(id)?.conversation === "g0";
  const hasTrouble = world.delivered.has("bad-0");
  const ownMs = [...done]
    .filter(([id]) => !hasTrouble || inTrouble(id))
    .map(([id, atMs]) => atMs - (world.enqueued.get(id) ?? 0));
  return {
    verdict,
    replyMs: verdict.latenciesMs,
    groupReplyMs: judge(world, inTrouble).latenciesMs,
    ownMs: ownMs.toSorted((one, other) => one - other),
    ownOutOfOrder,
  };
}

function twoTriggers(
  process: Process,
  clock: Clock,
  done: Map<string, number>,
  troubleOf: (text: string) => string,
  looks: boolean,
): TriggerTable {
  return {
    own: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, chat, effects }) => {
      const { id, data } = event.message;
      if (looks) await chat.messages.list({ limit: 1 }).page();
      const trouble = troubleOf(data.text ?? "");
      if (trouble === "throw") throw new TypeError("Cannot read properties of undefined");
      if (trouble === "exit") process.kill();
      if (trouble === "block") process.block();
      if (trouble === "hang" || trouble === "block") await process.edge("sleep", () => new Promise(() => {}));
      await effects.once("own", async () => {
        done.set(id, clock.now());
        return true;
      });
    }),
    reply: replyAs(),
  };
}

/**
 * Messages of a thousand conversations, one each 50 ms; in one conversation in `every` the trigger `own`
 * hangs, before the other one replies.
 */
export async function runSparseHangs(options: {
  readonly seed: number;
  readonly messages: number;
  readonly every: number;
}): Promise<Omit<IsolationFigures, "recoveryMs">> {
  const { seed, messages, every } = options;
  const done = new Map<string, number>();
  const { world } = await play({
    seed,
    maximumConcurrency: 2,
    enabledTriggers: "own,reply",
    hours: 100,
    triggersOf: (process, clock) =>
      twoTriggers(process, clock, done, (text) => text.replace("own: ", ""), false),
    facts: upTo(messages, (n) => ({
      id: `m${n}`,
      conversation: `g${n % 1_000}`,
      atMs: n * 50 + 500,
      ...(n % every === 1 && { text: "own: hang" }),
    })),
  });
  return figuresOf(world, done);
}

/**
 * Messages of many groups for an hour. The trigger `own` hangs in ten other groups, in bursts of one message
 * each, or works for `worksMs` after its effect everywhere.
 */
export async function runOwn(options: {
  readonly seed: number;
  readonly everyMs: number;
  readonly bursts?: number;
  readonly worksMs?: number;
}): Promise<readonly number[]> {
  const { seed, everyMs, bursts = 0, worksMs = 0 } = options;
  const done = new Map<string, number>();
  const { world } = await play({
    seed,
    maximumConcurrency: 10,
    enabledTriggers: "own",
    hours: 100,
    triggersOf: (process, clock) => ({
      own: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
        const { id, data } = event.message;
        if (data.text === "hang") await process.edge("sleep", () => new Promise(() => {}));
        await effects.once("own", async () => {
          done.set(id, clock.now());
          return true;
        });
        await process.edge("sleep", () => clock.sleep(worksMs));
      }),
    }),
    facts: [
      ...upTo(10 * bursts, (n) => ({
        id: `bad-${n}`,
        conversation: `bad${n % 10}`,
        atMs: Math.floor(n / 10) * 5 * minute + 10_000 + (n % 10) * 200,
        text: "hang",
      })),
      ...upTo(hour / everyMs, (n) => ({ id: `m${n}`, conversation: `g${n % 60}`, atMs: n * everyMs + 500 })),
    ],
  });
  const times = [...done].map(([id, atMs]) => atMs - (world.enqueued.get(id) ?? 0));
  return times.toSorted((one, other) => one - other);
}

/** The median, the value that one in a hundred exceeds, and the last one. */
export function spreadOf(sorted: readonly number[]): { median: number; most: number; last: number } {
  return {
    median: percentile(sorted, 0.5),
    most: percentile(sorted, 0.99),
    last: sorted.at(-1) ?? Number.NaN,
  };
}
