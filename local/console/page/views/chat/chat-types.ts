/**
 * What the platform's answers hold, as far as this view looks at it. Whoever sends a message decides what its `data` is:
 * what is read from there is looked at first.
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
  /** Unix seconds, like every time here. */
  readonly sentAt: number;
  readonly deliveredAt?: number;
  readonly readAt?: number;
  readonly editedAt?: number;
  readonly deletedAt?: number;
  readonly replyCount?: number;
  readonly quotedMessage?: Message;
}

/** A user of the app. `status` is `available` for who is online. */
export interface User {
  readonly uid: string;
  readonly name: string;
  readonly status?: string;
}

/** A group, with what the reader is in it. */
export interface Group {
  readonly guid: string;
  readonly name: string;
  readonly type: "public" | "private" | "password";
  readonly membersCount?: number;
  readonly hasJoined?: boolean;
  readonly scope?: string;
  readonly owner?: string;
}

/** A conversation as one of its users sees it. @see docs/internals/platform/conversations.md#shape-of-a-conversation */
export interface Conversation {
  readonly conversationId: string;
  readonly conversationType: "user" | "group";
  /** A number as text. */
  readonly unreadMessageCount: string;
  readonly updatedAt: number;
  readonly lastMessage?: Message;
  readonly conversationWith: Partial<User & Group>;
}

/** A phone call. @see docs/internals/platform/calls.md#states */
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

/** An answer of the platform. */
export interface Answer<Value> {
  readonly data: Value;
}

/** Who looks: a user of an app. */
export interface Seat {
  readonly appId: string;
  readonly uid: string;
}

/** Whom a conversation is with. */
export interface Peer {
  readonly type: "user" | "group";
  readonly id: string;
}
