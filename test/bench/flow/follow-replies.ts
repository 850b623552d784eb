import type { Platform } from "../../../local/platform/create-platform.ts";

export interface ReplyCount {
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
export function followReplies(platform: Platform) {
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

function append(times: Map<string, number[]>, uid: string, time: number): void {
  const known = times.get(uid);
  if (known === undefined) times.set(uid, [time]);
  else known.push(time);
}
