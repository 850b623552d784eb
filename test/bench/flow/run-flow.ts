import timers from "node:timers/promises";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { type LocalStack, startLocalStack } from "../../../local/stack/local-stack.ts";
import { at } from "../statistics.ts";
import { childrenCpuMs } from "./process-times.ts";
import { startStageProfile } from "./stage-profile.ts";

export interface FlowResult {
  readonly messages: number;
  /** Each message makes two deliveries: its own, and that of its reply, which nobody answers. */
  readonly deliveries: number;
  readonly lost: number;
  readonly twice: number;
  readonly seconds: number;
  readonly messagesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU milliseconds for each message, by stage. */
  readonly cpuMsPerMessage: Readonly<Record<string, number>>;
}

type Followed = ReturnType<typeof followReplies>;

const conversations = 200;
/** Messages under way at the same time; more would only wait in the queue. */
const inFlight = 32;
/** The functions' cold starts; counted with the rest, but not timed. */
const warmUp = 20;
/** No reply for so long means that one is lost. */
const maxWaitMs = 60_000;

/** Sends messages to `support` in a world of its own and waits until each is answered. */
export async function runFlow(messages: number, onProgress: (text: string) => void): Promise<FlowResult> {
  // Far more answers than people of one conversation get within minutes.
  const world = await startLocalStack({ cloud: { environment: { ANSWER_LIMIT: "1000" } } });
  try {
    await prepare(world);
    const followed = followReplies(world.platform);
    const stalled = new AbortController();
    await send(world, warmUp, followed, stalled.signal);
    await settle(warmUp, followed, () => {});

    const stopProfile = await startStageProfile();
    const functionsBefore = childrenCpuMs(process.pid);
    const started = performance.now();
    const sending = send(world, messages, followed, stalled.signal);
    await settle(warmUp + messages, followed, onProgress);
    stalled.abort();
    await sending;
    const seconds = (followed.lastReplyAt() - started) / 1000;
    await world.platform.idle();
    await world.cloud.drained({ timeoutMs: maxWaitMs });
    const functionsMs = childrenCpuMs(process.pid) - functionsBefore;
    const stages = await stopProfile();
    followed.stop();

    const { latenciesMs, lost, twice } = followed.count(started);
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const perMessage = [...stages, ["functions", functionsMs] as const].map(([stage, ms]) => [
      stage,
      ms / messages,
    ]);
    return {
      messages,
      deliveries: 2 * messages,
      lost,
      twice,
      seconds,
      messagesPerSecond: messages / seconds,
      p50Ms: at(sorted, 0.5),
      p99Ms: at(sorted, 0.99),
      cpuMsPerMessage: Object.fromEntries(perMessage),
    };
  } finally {
    await world.close();
  }
}

async function prepare(world: LocalStack) {
  // The platform's own limits per minute are not what is measured here.
  const switches = { coreRateLimit: 1_000_000_000, standardRateLimit: 1_000_000_000 };
  await call(world, "PATCH", `${world.platform.url}/_platform/switches`, switches);
  for (let index = 0; index < conversations; index++) {
    await post(world, `${world.platform.appUrl(world.app.appId)}/users`, {
      uid: uidOf(index),
      name: `User ${index}`,
    });
  }
}

/** Sends a steady stream: a limited number of messages is unanswered at any time. */
async function send(world: LocalStack, messages: number, followed: Followed, signal: AbortSignal) {
  const url = `${world.platform.appUrl(world.app.appId)}/messages`;
  const before = followed.replies();
  let next = 0;
  const sendNext = async () => {
    while (next < messages) {
      const index = next++;
      while (index - (followed.replies() - before) >= inFlight) {
        if (signal.aborted) return;
        await timers.setTimeout(2);
      }
      const uid = uidOf(index % conversations);
      followed.noteSent(uid);
      const data = { text: `Message ${index}` };
      await post(world, url, { receiver: "support", receiverType: "user", type: "text", data }, uid);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sendNext));
}

/** Waits for so many replies in all, and gives up when none has come for a while. */
async function settle(replies: number, followed: Followed, onProgress: (text: string) => void) {
  let seen = -1;
  let changedAt = performance.now();
  while (followed.replies() < replies) {
    if (followed.replies() !== seen) {
      seen = followed.replies();
      changedAt = performance.now();
      onProgress(`${seen}/${replies} answered`);
    }
    if (performance.now() - changedAt > maxWaitMs) return;
    await timers.setTimeout(20);
  }
}

const post = (world: LocalStack, url: string, body: object, onBehalfOf?: string) =>
  call({ ...world, onBehalfOf }, "POST", url, body);

async function call(
  world: LocalStack & { onBehalfOf?: string | undefined },
  method: string,
  url: string,
  body: object,
) {
  const headers: Record<string, string> = {
    apikey: world.app.fullAccessKey,
    "content-type": "application/json",
  };
  if (world.onBehalfOf !== undefined) headers.onBehalfOf = world.onBehalfOf;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
}

function uidOf(index: number) {
  return `user-${index}`;
}

interface ReplyCount {
  /** Milliseconds from sending a message to its reply. */
  readonly latenciesMs: readonly number[];
  readonly replies: number;
  /** Messages without a reply. */
  readonly lost: number;
  /** Replies beyond one for each message. */
  readonly twice: number;
}

/**
 * Watches the platform for what `support` writes. A conversation is a lane, so its replies come in the order of its
 * messages: the n-th reply to a user belongs to that user's n-th message.
 */
function followReplies(platform: Platform) {
  const sentAt = new Map<string, number[]>();
  const repliedAt = new Map<string, number[]>();
  let replies = 0;
  let lastReplyAt = 0;
  const stop = platform.subscribe((record) => {
    if (record.type !== "message" || record.action !== "sent" || record.message.sender !== "support") return;
    replies += 1;
    lastReplyAt = performance.now();
    append(repliedAt, record.message.receiver, lastReplyAt);
  });
  return {
    noteSent: (uid: string) => append(sentAt, uid, performance.now()),
    replies: () => replies,
    lastReplyAt: () => lastReplyAt,
    stop,
    /** Latencies are of messages sent from `fromMs` on; losses and repetitions of all. */
    count(fromMs: number): ReplyCount {
      const latenciesMs: number[] = [];
      let lost = 0;
      let twice = 0;
      for (const [uid, times] of sentAt) {
        const answers = repliedAt.get(uid) ?? [];
        lost += Math.max(0, times.length - answers.length);
        twice += Math.max(0, answers.length - times.length);
        times.forEach((time, index) => {
          const answer = answers[index];
          if (answer !== undefined && time >= fromMs) latenciesMs.push(answer - time);
        });
      }
      return { latenciesMs, replies, lost, twice };
    },
  };
}

function append(times: Map<string, number[]>, uid: string, time: number) {
  const known = times.get(uid);
  if (known === undefined) times.set(uid, [time]);
  else known.push(time);
}
