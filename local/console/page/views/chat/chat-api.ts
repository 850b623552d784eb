import type { Topic } from "../../../api/notices.ts";
import { ask } from "../../parts/ask.ts";
import { useResource } from "../../parts/use-resource.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function pathBelow(base: string) {
  return (appId: string, segments: readonly string[], query: Query = {}) => {
    const path = `/api/${base}/${[appId, ...segments].map(encodeURIComponent).join("/")}`;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== "") search.set(name, String(value));
    return search.size === 0 ? path : `${path}?${search}`;
  };
}

export const chatPath = pathBelow("chat");
export const callPath = pathBelow("call");
/** Path of a user's device actions, such as joining a group. */
export const clientPath = pathBelow("platform/apps");

/** Gets what a user's client would; nothing without segments. */
export function useChat<Data>(
  { appId, uid }: Seat,
  segments: readonly string[] | undefined,
  topics: readonly Topic[] = ["chat"],
) {
  const path = segments && chatPath(appId, segments);
  const { value, error } = useResource<Answer<Data>>(path, topics, { onBehalfOf: uid });
  return { data: value?.data, error };
}

/** A range of a conversation, or with `parentId` of a thread. */
export interface Span {
  readonly affix: "append" | "prepend";
  /** Exclusive; undefined: from the end where `affix` starts. */
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

/** Oldest first. */
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
        : // A user's message list counts all messages each time; this one does not.
          chatPath(appId, ["messages"], { ...main, conversationId });
  return (await ask<Answer<readonly Message[]>>(path, { onBehalfOf: uid })).data;
}

/** `data` is untrusted: the sender chooses it. @see docs/internals/platform/messages.md#shape-of-a-message */
export interface Message {
  readonly id: string;
  readonly muid?: string;
  readonly conversationId: string;
  readonly sender: string;
  readonly receiverType: "user" | "group";
  readonly receiver: string;
  readonly category: string;
  readonly type: string;
  readonly parentId?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unix seconds, like all times in this file. */
  readonly sentAt: number;
  readonly deliveredAt?: number;
  readonly readAt?: number;
  readonly editedAt?: number;
  readonly deletedAt?: number;
  readonly replyCount?: number;
  readonly quotedMessage?: Message;
}

export interface User {
  readonly uid: string;
  readonly name: string;
  readonly status?: string;
}

export interface Group {
  readonly guid: string;
  readonly name: string;
  readonly type: "public" | "private" | "password";
  readonly membersCount?: number;
  readonly hasJoined?: boolean;
}

/** @see docs/internals/platform/conversations.md#shape-of-a-conversation */
export interface Conversation {
  readonly conversationId: string;
  readonly conversationType: "user" | "group";
  /** A number as text. */
  readonly unreadMessageCount: string;
  readonly updatedAt: number;
  readonly lastMessage?: Message;
  readonly conversationWith: Partial<User & Group>;
}

/** @see docs/internals/platform/calls.md#states */
export interface PhoneCall {
  readonly sessionId: string;
  readonly type: "audio" | "video";
  readonly mode: string;
  readonly status: string;
  readonly initiator: string;
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly participants: readonly { readonly uid: string; readonly state: string }[];
}

export interface Answer<Value> {
  readonly data: Value;
}

export interface Seat {
  readonly appId: string;
  readonly uid: string;
}

export interface Peer {
  readonly type: "user" | "group";
  readonly id: string;
}

const between = "_user_";

/**
 * Ids may contain the separators: the user's uid is matched first.
 * @see docs/internals/platform/ids-and-limits.md#conversation-ids
 */
export function peerOf(uid: string, conversationId: string): Peer | undefined {
  const { length } = uid + between;
  for (const id of [conversationId.slice(length), conversationId.slice(0, -length)]) {
    const peer = { type: "user", id } as const;
    if (conversationOf(uid, peer) === conversationId) return peer;
  }
  if (conversationId.startsWith("group_")) return { type: "group", id: conversationId.slice(6) };
  return undefined;
}

export function conversationOf(uid: string, peer: Peer): string {
  if (peer.type === "group") return `group_${peer.id}`;
  return uid < peer.id ? uid + between + peer.id : peer.id + between + uid;
}
