import type { User } from "./users-and-groups.ts";

/**
 * A stored message in events; the client's `Message` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#messages-in-events
 */
export interface Message extends AddressedMessage {
  /** The platform's id, digits as text. */
  readonly id: string;
}

/** A message that is not stored yet and has no id. */
export interface UnsentMessage extends AddressedMessage {
  /** Absent before the platform stores the message. */
  readonly id?: string | undefined;
}

/** Only the id is certain: a deleted, pinned or nested message. */
export interface PartialMessage extends MessageFields {
  /** The platform's id, digits as text. */
  readonly id: string;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** uid of the sender. */
  readonly sender?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** The uid, or the bare guid of a group. */
  readonly receiver?: string | undefined;
  /** The content. */
  readonly data?: ReceivedContent | undefined;
}

/** A message with sender and receiver. */
export interface AddressedMessage extends MessageFields {
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId: string;
  /** uid of the sender; `app_system` for the platform itself. */
  readonly sender: string;
  /** `user` or `group`. */
  readonly receiverType: string;
  /** The uid, or the bare guid of a group. */
  readonly receiver: string;
  /** The content; empty if the delivery has none. */
  readonly data: ReceivedContent;
}

/** Fields of any message. */
export interface MessageFields {
  /** Set by the client; none by REST. */
  readonly muid?: string | undefined;
  /**
   * `message`, `custom`, `action`, `call`, `interactive`, `agentic`, `card` or a new one
   * (docs/internals/platform/messages.md#categories).
   */
  readonly category?: string | undefined;
  /**
   * `text`, `image`, `file`, `audio` or `video`; of an agent `assistant`, `tool-arguments` or `tool-result`;
   * any text for the category `custom`.
   */
  readonly type?: string | undefined;
  /** When sent. */
  readonly sentAt?: Date | undefined;
  /** When it or related data last changed. */
  readonly updatedAt?: Date | undefined;
  /** When it arrived. */
  readonly deliveredAt?: Date | undefined;
  /** When read. */
  readonly readAt?: Date | undefined;
  /** When it was last edited. */
  readonly editedAt?: Date | undefined;
  /** uid of the user who edited it last. */
  readonly editedBy?: string | undefined;
  /** When deleted. */
  readonly deletedAt?: Date | undefined;
  /** uid of the user who deleted it; `app_system` for the app. */
  readonly deletedBy?: string | undefined;
  /** When pinned. */
  readonly pinnedAt?: Date | undefined;
  /** uid of the user who pinned it. */
  readonly pinnedBy?: string | undefined;
  /** When unpinned. */
  readonly unpinnedAt?: Date | undefined;
  /** uid of the user who unpinned it. */
  readonly unpinnedBy?: string | undefined;
  /** Id of the message that this one answers in a thread. */
  readonly parentId?: string | undefined;
  /** Your own labels. */
  readonly tags?: string[] | undefined;
  /** Delivery and read receipts, in the platform's form. */
  readonly receipts?: Record<string, unknown> | undefined;
}

/**
 * The content of a message. Its fields depend on category and type.
 * @see docs/internals/platform/messages.md#shape-of-a-message
 */
export interface ReceivedContent {
  /** The text; holds `<@uid:UID>` for every mention. */
  readonly text?: string | undefined;
  /** Pictures and files. */
  readonly attachments?: Attachment[] | undefined;
  /** If a picture or file message has it in addition to `attachments` (inferred). */
  readonly url?: string | undefined;
  /** As its sender wrote it; category `custom`. */
  readonly customData?: Record<string, unknown> | undefined;
  /** Your own data; `@injected` holds the platform's. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** The mentioned users, by uid (docs/internals/platform/events.md#mentions). */
  readonly mentions?: Readonly<Record<string, User>> | undefined;
  /** The sending SDK and device. */
  readonly resource?: string | undefined;
  /** Absent if no moderation applies. */
  readonly moderation?: ModerationMark | undefined;
  /** For the categories `action` and `call`. */
  readonly action?: string | undefined;
  /** As of sending. */
  readonly entities?: MessageEntities | undefined;
  /** Equal in all messages of an agent's run (docs/internals/platform/ai-agents.md#what-a-run-leaves). */
  readonly runId?: string | undefined;
  /** The conversation's, as the agent knows it. */
  readonly threadId?: string | undefined;
  /** The tools that an agent called; type `tool-arguments`. */
  readonly toolCalls?: ToolCall[] | undefined;
  /** Names the call of a `tool-result`. */
  readonly toolCallId?: string | undefined;
  /** Texts and cards of an agent; type `assistant`. */
  readonly elements?: ContentElement[] | undefined;
}

/** An agent's call of a tool. */
export interface ToolCall {
  /** Its result names it. */
  readonly id?: string | undefined;
  /** `function`. */
  readonly type?: string | undefined;
  /** The tool's name for people. */
  readonly displayName?: string | undefined;
  /** Shown while it runs. */
  readonly executionText?: string | undefined;
  /** What was called. */
  readonly function?: CalledFunction | undefined;
}

/** The function of a tool. */
export interface CalledFunction {
  /** Such as the slug of an API tool. */
  readonly name?: string | undefined;
  /** JSON as text. */
  readonly arguments?: string | undefined;
}

/** A part of an agent's answer. */
export interface ContentElement {
  /** `text` or `card`. */
  readonly type?: string | undefined;
  /** The text, or the card in the platform's form. */
  readonly value?: unknown;
}

/** A picture or file of a message. */
export interface Attachment {
  /**
   * May be a signed URL that expires (docs/internals/platform/webhooks.md#addresses-of-media): store the
   * file.
   */
  readonly url?: string | undefined;
  /** The file's name. */
  readonly name?: string | undefined;
  /** The file name's extension, without the dot. */
  readonly extension?: string | undefined;
  /** Such as `image/png`. */
  readonly mimeType?: string | undefined;
  /** As the sender reported it; was seen with fractions. */
  readonly size?: number | undefined;
}

/** The moderation's status of a message. @see docs/internals/platform/moderation.md#status-of-a-message */
export interface ModerationMark {
  /** `pending`, `approved` or `disapproved`. */
  readonly status?: string | undefined;
  /** The rule that decided. */
  readonly rule?: ModerationMarkRule | undefined;
}

/** The rule that decided on a message. */
export interface ModerationMarkRule {
  /** The rule's id. */
  readonly id?: string | undefined;
}

/**
 * What a message is about: plain ones have `sender` and `receiver`, the categories `action` and `call` have
 * `by`, `for` and `on`.
 * @see docs/internals/platform/events.md#entities
 */
export interface MessageEntities {
  /** The sender. */
  readonly sender?: UserEntity | undefined;
  /** The receiving user or group. */
  readonly receiver?: OtherEntity | undefined;
  /** The acting user. */
  readonly by?: UserEntity | undefined;
  /** User or group for whom it happened. */
  readonly for?: OtherEntity | undefined;
  /** Message, user, group or call that changed. */
  readonly on?: OtherEntity | undefined;
}

/** A person of a message. */
export interface UserEntity {
  /** The person. */
  readonly entity?: User | undefined;
  /** `user`. */
  readonly entityType?: string | undefined;
}

/** An object that a message is about. */
export interface OtherEntity {
  /** The object, in the platform's form. */
  readonly entity?: Record<string, unknown> | undefined;
  /** `user`, `group`, `message` or `call`. */
  readonly entityType?: string | undefined;
}
