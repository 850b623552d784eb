import { notifyDone } from "../../parts/toasts.tsx";
import { fetchMessages } from "./chat-api.ts";
import { sayDay } from "./chat-time.tsx";
import type { Seat } from "./chat-types.ts";
import { peerOf } from "./conversation-id.ts";

/**
 * Returns the id of a conversation's first message since then. Without one, notifies the user and returns
 * undefined.
 * @param sinceMs milliseconds since 1970
 * @throws AskError
 */
export async function findFirstSince(
  seat: Seat,
  conversationId: string,
  sinceMs: number,
): Promise<string | undefined> {
  const peer = peerOf(seat.uid, conversationId);
  if (peer === undefined) return undefined;
  const span = { affix: "append", limit: 1, fromTimestamp: Math.floor(sinceMs / 1_000) } as const;
  const [first] = await fetchMessages(seat, { peer, conversationId, parentId: undefined }, span);
  if (first === undefined) notifyDone(`No message since ${dayWords(sinceMs)}.`);
  return first?.id;
}

export function dayWords(ms: number): string {
  return sayDay(ms / 1_000);
}
