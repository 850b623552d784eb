import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import { type CanaryMessage, type CanaryStore, type CanaryUsers, makeCanary } from "./canary.ts";

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

/**
 * Until sent, then until received, then until handled; the total is by the local clock. The second and third
 * compare two machines' clocks.
 */
export interface CanaryTimes {
  readonly sendMs: number;
  readonly deliverMs: number;
  readonly queueMs: number;
  readonly totalMs: number;
}

export interface CanaryServices {
  readonly appId: string;
  readonly users: CanaryUsers;
  readonly guard: LoopGuard;
  readonly store: CanaryStore;
  readonly send: (message: CanaryMessage) => Promise<{ readonly id: string }>;
  readonly remove: (messageId: string) => Promise<unknown>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly maxWaitMs: number;
}

/**
 * Each call sends another message; one whose send got no response may remain.
 * @throws GuardKeyError, AwsCallError
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
  // The deletion's event has no text or marks and is recognized by this note.
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

async function follow(
  messageId: string,
  { startedAt, sentAt }: { readonly startedAt: number; readonly sentAt: number },
  { appId, store, now, sleep, maxWaitMs }: CanaryServices,
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
    if (now() - sentAt >= maxWaitMs) return { kind: "lost" };
    await sleep(pauseMs);
  }
}

const longestPauseMs = 1_000;
