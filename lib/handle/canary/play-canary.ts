import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import { type CanaryMessage, makeCanary } from "./canary-message.ts";
import type { CanaryUsers } from "./canary-settings.ts";
import type { CanaryStore } from "./canary-store.ts";

/** What became of a canary. */
export type CanaryOutcome =
  | {
      readonly kind: "handled";
      readonly messageId: string;
      readonly sentAt: number;
      readonly times: CanaryTimes;
      readonly isLeft: boolean;
    }
  | {
      readonly kind: "blocked" | "lost";
      readonly messageId: string;
      readonly sentAt: number;
      readonly isLeft: boolean;
    }
  | { readonly kind: "not-sent"; readonly error: unknown };

/** Of each leg, in milliseconds. The second and the third go by the clocks of two machines. */
export interface CanaryTimes {
  /** Until the platform had taken the message. */
  readonly sendMs: number;
  /** From then on, until the receiver had it. */
  readonly deliverMs: number;
  /** From the receiver to the consumer's hand. */
  readonly queueMs: number;
  /** From the first to the last, as seen from here. */
  readonly totalMs: number;
}

export interface CanaryServices {
  readonly appId: string;
  readonly users: CanaryUsers;
  readonly guard: LoopGuard;
  readonly store: CanaryStore;
  /** Sends on behalf of the sender. */
  readonly send: (message: CanaryMessage) => Promise<{ readonly id: string }>;
  /** Deletes on behalf of the sender. */
  readonly remove: (messageId: string) => Promise<unknown>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** How long it is waited for, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Sends a canary, follows it to the consumer's note, and deletes it. Sends another message each time; one whose sending got
 * no answer may be left behind, and is a canary to everybody all the same.
 * @throws GuardKeyError, AwsCallError when key or table cannot be reached
 */
export async function playCanary(services: CanaryServices): Promise<CanaryOutcome> {
  const { appId, users, guard, store, send, remove, now } = services;
  const message = await makeCanary(guard, users);
  const startedAt = now();
  let messageId: string;
  try {
    ({ id: messageId } = await send(message));
  } catch (error) {
    return { kind: "not-sent", error };
  }
  const sentAt = now();
  // Written before the deletion, which is told without text or marks, and known by this note.
  await store.noteSent(appId, messageId);
  const removed = () =>
    remove(messageId).then(
      () => true,
      () => false,
    );
  const followed = await follow(messageId, { startedAt, sentAt }, services).catch(async (error: unknown) => {
    await removed();
    throw error;
  });
  return { ...followed, messageId, sentAt, isLeft: !(await removed()) };
}

/** Waits until the canary's note says what became of it, or for as long as may be. @throws AwsCallError */
async function follow(
  messageId: string,
  { startedAt, sentAt }: { readonly startedAt: number; readonly sentAt: number },
  { appId, store, now, sleep, patienceMs }: CanaryServices,
): Promise<
  { readonly kind: "handled"; readonly times: CanaryTimes } | { readonly kind: "blocked" | "lost" }
> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const note = await store.find(appId, messageId);
    if (note?.handledAt !== undefined) {
      const { receivedAt = note.handledAt, handledAt } = note;
      const times = {
        sendMs: sentAt - startedAt,
        deliverMs: Math.max(0, receivedAt - sentAt),
        queueMs: Math.max(0, handledAt - receivedAt),
        totalMs: now() - startedAt,
      };
      return { kind: "handled", times };
    }
    if (note?.blockedAt !== undefined) return { kind: "blocked" };
    if (now() - sentAt >= patienceMs) return { kind: "lost" };
    await sleep(pauseMs);
  }
}

const longestPauseMs = 1_000;
