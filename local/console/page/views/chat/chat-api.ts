import { ask } from "../../parts/ask.ts";
import type { Answer, Message, Peer, Seat } from "./chat-types.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function chatPath(appId: string, segments: readonly string[], query: Query = {}): string {
  return withQuery(`/api/chat/${[appId, ...segments].map(encodeURIComponent).join("/")}`, query);
}

export function callPath(appId: string, segments: readonly string[], query: Query = {}): string {
  return withQuery(`/api/call/${[appId, ...segments].map(encodeURIComponent).join("/")}`, query);
}

export function clientPath(appId: string, segments: readonly string[]): string {
  return `/api/platform/apps/${[appId, ...segments].map(encodeURIComponent).join("/")}`;
}

/** A range of a conversation, or with `parentId` of a thread. */
export interface Span {
  readonly affix: "append" | "prepend";
  /** Exclusive; if undefined, the end of the conversation from which `affix` starts. */
  readonly id?: string | undefined;
  readonly limit: number;
  /** Unix seconds: only messages since then. */
  readonly fromTimestamp?: number;
}

/**
 * Oldest first.
 * @throws AskError
 */
export async function fetchMessages(
  { appId, uid }: Seat,
  where: { peer: Peer; conversationId: string; parentId: string | undefined },
  { limit, ...span }: Span,
): Promise<readonly Message[]> {
  const path =
    where.parentId !== undefined
      ? chatPath(appId, ["messages", where.parentId, "thread"], { ...span, perPage: limit })
      : where.peer.type === "group"
        ? chatPath(appId, ["groups", where.peer.id, "messages"], { ...span, limit, hideReplies: true })
        : // A user's message list counts all messages at each request; this one does not.
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
