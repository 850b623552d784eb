import type { LoopGuard } from "../effects/loop-guard.ts";
import { type CanaryMessage, makeCanary } from "./canary-message.ts";
import type { CanaryUsers } from "./canary-settings.ts";
import type { CanaryStore } from "./canary-store.ts";

/** What became of a canary. */
export type CanaryOutcome =
  | {
      readonly kind: "handled";
      readonly messageId: string;
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
  const { appId, users, guard, store, send, remove, now, sleep, patienceMs } = services;
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
  let outcome: Omit<CanaryOutcome & { kind: "handled" }, "isLeft"> | { kind: "blocked" | "lost" } = {
    kind: "lost",
  };
  for (let pauseMs = 100; outcome.kind === "lost"; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const note = await store.find(appId, messageId);
    if (note?.handledAt !== undefined) {
      const { receivedAt = note.handledAt, handledAt } = note;
      const times = {
        sendMs: sentAt - startedAt,
        deliverMs: Math.max(0, receivedAt - sentAt),
        queueMs: Math.max(0, handledAt - receivedAt),
        totalMs: now() - startedAt,
      };
      outcome = { kind: "handled", messageId, times };
    } else if (note?.blockedAt !== undefined) outcome = { kind: "blocked" };
    else if (now() - sentAt >= patienceMs) break;
    else await sleep(pauseMs);
  }
  const isLeft = await remove(messageId).then(
    () => false,
    () => true,
  );
  if (outcome.kind === "handled") return { ...outcome, isLeft };
  return { kind: outcome.kind, messageId, sentAt, isLeft };
}

const longestPauseMs = 1_000;
