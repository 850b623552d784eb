import type { Identity } from "./identity.ts";
import type { EventHead } from "./types/known-event.ts";

/**
 * How long after its first delivery an occurrence may be delivered again: retries after 10 s and 30 s
 * (docs/internals/platform/webhooks.md#retries), 2 s per try, 6 s for cold starts and transfer. Equal e-mails
 * or SMS to one user are at least 60 s apart (docs/internals/platform/other-calls.md#notification-providers).
 */
export const retryWindowMs = 50_000;

/** First receipt times of keys that can recur. Both methods may be repeated. */
export interface OccurrenceMemory {
  /** In the names' order. Must see the newest writes. */
  read(names: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** Stores it unless the name has one; returns the stored one. */
  claim(name: string, receivedAt: number): Promise<number>;
}

/**
 * The key and, if it can recur, the first receipt time. Two deliveries of equal key get the same name exactly
 * if one was received within the retry window after the other's first receipt, whenever they are handled.
 * Deliveries of one key must be named one after the other. Repeatable.
 * @param receivedAt Milliseconds since 1970.
 * @throws the memory's errors; nothing is decided then
 */
export async function nameOccurrence(
  { key, canRecur }: Pick<Identity, "key" | "canRecur">,
  receivedAt: number,
  memory: OccurrenceMemory,
): Promise<string> {
  if (!canRecur) return key;
  // First deliveries are further apart than the window: a slot of its length holds at most one, and any
  // within reach is in this slot or an adjacent one.
  const slot = Math.floor(receivedAt / retryWindowMs);
  const nameOf = (number: number) => `occurrence|${key}|${number}`;
  const known = await memory.read([slot - 1, slot, slot + 1].map(nameOf));
  const first = nearest(known, receivedAt) ?? (await memory.claim(nameOf(slot), receivedAt));
  return `${key}|@${first}`;
}

/** Names an unknown occurrence by this receipt, and stores nothing. */
export function withoutWriting({ read }: Pick<OccurrenceMemory, "read">): OccurrenceMemory {
  return { read, claim: async (_name, receivedAt) => receivedAt };
}

/**
 * The queue's deduplication id: the key or, if it can recur, one delivery's own: it may be another occurrence
 * within the queue's five minutes.
 */
export function repetitionKey(
  { key, canRecur }: Pick<Identity, "key" | "canRecur">,
  receivedAt: number,
): string {
  return canRecur ? `${key}|@${receivedAt}` : key;
}

function nearest(known: readonly (number | undefined)[], receivedAt: number): number | undefined {
  let best: number | undefined;
  for (const time of known) {
    if (time === undefined || distance(time, receivedAt) > retryWindowMs) continue;
    if (best === undefined || distance(time, receivedAt) < distance(best, receivedAt)) best = time;
  }
  return best;
}

function distance(one: number, other: number): number {
  return Math.abs(one - other);
}

/**
 * In deliveries from reconcile: webhooks' ids are alphanumeric
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
export const reconcileWebhook = "reconcile-function";

/** Returns when an event counts as received for flows: reconcile hands messages over hours later. */
export function receiptForFlows(
  { webhook, occurredAt }: Pick<EventHead, "webhook" | "occurredAt">,
  receivedAt: number,
): number {
  const isLate = webhook === reconcileWebhook && occurredAt !== undefined;
  return isLate ? Math.min(occurredAt.getTime(), receivedAt) : receivedAt;
}
