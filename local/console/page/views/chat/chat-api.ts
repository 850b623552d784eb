import { ask } from "../../parts/ask.ts";
import type { Answer, Message, Peer, Seat } from "./chat-types.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Gives the path of the platform's Chat API. Each segment is encoded here. */
export function chatPath(appId: string, segments: readonly string[], query: Query = {}): string {
  return withQuery(`/api/chat/${[appId, ...segments].map(encodeURIComponent).join("/")}`, query);
}

/** Gives the path of the Calls API. */
export function callPath(appId: string, segments: readonly string[], query: Query = {}): string {
  return withQuery(`/api/call/${[appId, ...segments].map(encodeURIComponent).join("/")}`, query);
}

/** Gives the path of what only clients do: joining, receipts, calls. */
export function clientPath(appId: string, segments: readonly string[]): string {
  return `/api/platform/apps/${[appId, ...segments].map(encodeURIComponent).join("/")}`;
}

/** Says which part of a conversation is asked for, with `parentId` of a thread. */
export interface Span {
  readonly affix: "append" | "prepend";
  /** Exclusive; the end of the conversation that `affix` looks from when undefined. */
  readonly id?: string | undefined;
  readonly limit: number;
}

/** Asks for messages as a user sees them, the oldest first. @throws AskError */
export async function fetchMessages(
  { appId, uid }: Seat,
  where: { peer: Peer; conversationId: string; parentId: string | undefined },
  { affix, id, limit }: Span,
): Promise<readonly Message[]> {
  const span = { affix, id };
  const path =
    where.parentId !== undefined
      ? chatPath(appId, ["messages", where.parentId, "thread"], { ...span, perPage: limit })
      : where.peer.type === "group"
        ? chatPath(appId, ["groups", where.peer.id, "messages"], { ...span, limit, hideReplies: true })
        : // The list of a user's messages counts all of them at each request; this one does not.
          chatPath(appId, ["messages"], {
            ...span,
            limit,
            hideReplies: true,
            conversationId: where.conversationId,
          });
  const { data } = await ask<Answer<readonly Message[]>>(path, { onBehalfOf: uid });
  return data;
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
