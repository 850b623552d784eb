/**
 * `data` is untrusted, because the sender chooses it.
 * @see docs/internals/platform/messages.md#shape-of-a-message
 */
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

/** Online if `status` is `available`. */
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
  readonly scope?: string;
  readonly owner?: string;
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
  readonly startedAt?: number;
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
