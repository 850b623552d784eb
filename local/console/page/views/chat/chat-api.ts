import type { Topic } from "../../../api/notices.ts";
import { ask } from "../../parts/ask.ts";
import { useResource } from "../../parts/use-resource.ts";
import type { Answer, Message, Peer, Seat } from "./chat-types.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function pathBelow(base: string) {
  return (appId: string, segments: readonly string[], query: Query = {}): string => {
    const path = `/api/${base}/${[appId, ...segments].map(encodeURIComponent).join("/")}`;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== "") search.set(name, String(value));
    return search.size === 0 ? path : `${path}?${search}`;
  };
}

export const chatPath = pathBelow("chat");
export const callPath = pathBelow("call");
/** What a user's device does, such as joining a group. */
export const clientPath = pathBelow("platform/apps");

/** What a user's client gets from the platform; nothing without segments. */
export function useChat<Data>(
  { appId, uid }: Seat,
  segments: readonly string[] | undefined,
  topics: readonly Topic[] = ["chat"],
): { readonly data: Data | undefined; readonly error: string | undefined } {
  const path = segments && chatPath(appId, segments);
  const { value, error } = useResource<Answer<Data>>(path, topics, { onBehalfOf: uid });
  return { data: value?.data, error };
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

export interface Where {
  readonly peer: Peer;
  readonly conversationId: string;
  readonly parentId?: string | undefined;
}

/**
 * Oldest first.
 * @throws AskError
 */
export async function fetchMessages(
  { appId, uid }: Seat,
  { peer, conversationId, parentId }: Where,
  { limit, ...span }: Span,
): Promise<readonly Message[]> {
  const main = { ...span, limit, hideReplies: true };
  const path =
    parentId !== undefined
      ? chatPath(appId, ["messages", parentId, "thread"], { ...span, perPage: limit })
      : peer.type === "group"
        ? chatPath(appId, ["groups", peer.id, "messages"], main)
        : // A user's message list counts all messages at each request; this one does not.
          chatPath(appId, ["messages"], { ...main, conversationId });
  return (await ask<Answer<readonly Message[]>>(path, { onBehalfOf: uid })).data;
}
