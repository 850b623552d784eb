import type { Identity } from "./identity.ts";

/**
 * How long after its first delivery an occurrence may be delivered again. The platform retries 10 s and then
 * 30 s later (docs/internals/platform/webhooks.md#retries), each try may take 2 s, and 6 s remain for cold
 * starts and transfer. E-mails and SMS to one user may be equal and are at least 60 s apart
 * (docs/internals/platform/other-calls.md#notification-providers).
 */
export const retryWindowMs = 50_000;

/** Stores the first receipt time of occurrences whose keys can recur. Both methods may be repeated. */
export interface OccurrenceMemory {
  /** Returns the stored time of each name, in the names' order. Must see the newest writes. */
  read(names: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** Stores a receipt time unless the name has one. Returns the stored time. */
  claim(name: string, receivedAt: number): Promise<number>;
}

/**
 * Returns the permanent name of an occurrence: the key and, if the key can recur, the first receipt time. Two
 * deliveries of equal key get the same name exactly if one was received at most the retry window from the
 * other's first receipt, regardless of when they are handled. Deliveries of one key must be named one after
 * the other, as their lane is handled. May be repeated.
 * @param receivedAt Milliseconds since 1970.
 * @throws the memory's errors; nothing is decided then
 */
export async function nameOccurrence(
  { key, canRecur }: Pick<Identity, "key" | "canRecur">,
  receivedAt: number,
  memory: OccurrenceMemory,
): Promise<string> {
  if (!canRecur) return key;
  // First deliveries are further apart than the window. A slot of the window's length therefore holds at most
  // one, and any within reach is in this slot or an adjacent one.
  const slot = Math.floor(receivedAt / retryWindowMs);
  const nameOf = (number: number) => `occurrence|${key}|${number}`;
  const known = await memory.read([slot - 1, slot, slot + 1].map(nameOf));
  const first = nearest(known, receivedAt) ?? (await memory.claim(nameOf(slot), receivedAt));
  return `${key}|@${first}`;
}

/**
 * Returns the deduplication id for the queue: the occurrence's key or, if the key can recur, one delivery's
 * own, because the same key may be another occurrence within the queue's five minutes. `nameOccurrence`
 * decides about deliveries.
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
