import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import type { ChatRequest, Reception } from "../world/chat-platform.ts";
import { answerTo } from "../world/handlers.ts";
import { judge, type Verdict } from "../world/judge.ts";
import { minute } from "../world/play.ts";
import { createWorld } from "../world/world.ts";

export interface BusyUserOptions {
  readonly seed: number;
  readonly concurrency: number;
  /** Messages a minute that the busy user answers, in ten conversations. 0: no user is busy. */
  readonly perMinute: number;
  readonly minutes: number;
  /** Of a 429, beside `Retry-After`. */
  readonly numbers: Readonly<Record<string, string>>;
}

export interface BusyUserFigures {
  readonly busy: Verdict;
  readonly others: Verdict;
  /** Of the others, from the queue to the answer, in milliseconds. */
  readonly othersMeanMs: number;
  readonly refused: number;
}

/** docs/internals/platform/answers-and-errors.md#rate-limits */
const sendsAMinute = 30;
const busyConversations = 10;

/** Each conversation is answered by a user of its own, but for ten, which one busy user answers. */
export async function runBusyUser(options: BusyUserOptions): Promise<BusyUserFigures> {
  const { seed, concurrency, perMinute, minutes, numbers } = options;
  const used = new Map<string, number>();
  let refused = 0;
  const receptionOf = ({ method, user }: ChatRequest, nowMs: number): Reception => {
    if (method !== "POST") return { kind: "well" };
    const window = Math.floor(nowMs / minute);
    const key = `${user} ${window}`;
    used.set(key, (used.get(key) ?? 0) + 1);
    if ((used.get(key) ?? 0) <= sendsAMinute) return { kind: "well" };
    refused += 1;
    const seconds = Math.ceil(((window + 1) * minute - nowMs) / 1000);
    const headers = { "retry-after": String(seconds), ...numbers };
    return { kind: "answer", status: 429, code: "ERR_TOO_MANY_REQUESTS", headers };
  };
  const world = createWorld({
    seed,
    maximumConcurrency: concurrency,
    receptionOf,
    enabledTriggers: "reply",
    triggersOf: () => ({
      reply: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
        const { id, receiver } = event.message;
        const onBehalfOf = receiver.startsWith("busy") ? "busy" : `user-of-${receiver}`;
        const text = answerTo(id);
        await effects.sendText("reply", { receiver, receiverType: "group", text, onBehalfOf });
      }),
    }),
  });
  try {
    for (let number = 0; number < minutes * 60; number += 1) {
      world.send({ id: `other-${number}`, conversation: `g${number % 20}`, atMs: number * 1000 });
    }
    for (let number = 0; number < minutes * perMinute; number += 1) {
      const atMs = Math.floor((number * minute) / perMinute) + 500;
      world.send({ id: `busy-${number}`, conversation: `busy${number % busyConversations}`, atMs });
    }
    await world.run(minutes * 10 * minute);
    const others = judge(world, (id) => id.startsWith("other-"));
    const { latenciesMs } = others;
    return {
      busy: judge(world, (id) => id.startsWith("busy-")),
      others,
      othersMeanMs: latenciesMs.reduce((sum, ms) => sum + ms, 0) / latenciesMs.length,
      refused,
    };
  } finally {
    world.close();
  }
}
