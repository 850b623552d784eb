import type { Identity } from "./identity.ts";

/**
 * How long after its first delivery a fact may be delivered again: the platform's retries come 10 s and then 30 s later
 * (docs/platform/webhooks.md#retries), each try may take its 2 s, and 6 s are left for cold starts and the way. E-mails and
 * texts to one person may be equal and are at least 60 s apart (docs/platform/other-calls.md#notification-providers).
 */
export const retryWindowMs = 50_000;

/** Remembers when the facts were first received whose keys can recur. Both may be repeated. */
export interface OccurrenceMemory {
  /** Gives what is remembered under each name, in the names' order; the newest writes must be seen. */
  read(names: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** Remembers a time of receipt, unless the name has one; gives the one that the name has then. */
  claim(name: string, receivedAt: number): Promise<number>;
}

/**
 * Names one fact for good: the key, and where the key can recur, when the fact was first received. Two deliveries of
 * equal key have the same name exactly when at most the retry window lies between the receipt of one and of the other's
 * first; when they are handled makes no difference. Deliveries of one key must be named one after the other, as their
 * lane is handled. May be repeated.
 * @param receivedAt Milliseconds since 1970.
 * @throws what the memory throws; nothing is decided then
 */
export async function nameFact(
  { key, canRecur }: Pick<Identity, "key" | "canRecur">,
  receivedAt: number,
  memory: OccurrenceMemory,
): Promise<string> {
  if (!canRecur) return key;
  // First deliveries are further apart than the window, so a slot as long as the window holds one of them at most, and
  // whatever is near enough is in the own slot or beside it.
  const slot = Math.floor(receivedAt / retryWindowMs);
  const nameOf = (number: number) => `occurrence|${key}|${number}`;
  const known = await memory.read([slot - 1, slot, slot + 1].map(nameOf));
  const first = nearest(known, receivedAt) ?? (await memory.claim(nameOf(slot), receivedAt));
  return `${key}|@${first}`;
}

/**
 * Gives what the queue may take for a repetition: a fact by its key, and where the key can recur, one delivery of it,
 * since within the queue's five minutes the same key may be another fact. For what is delivered, `nameFact` decides.
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
