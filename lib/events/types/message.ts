import type { User } from "./user.ts";

/**
 * A message as events carry one: stored, and addressed. The client's `Message` is what the REST API answers, with times in
 * seconds.
 * @see docs/platform/events.md#messages-in-events
 */
export interface Message extends AddressedMessage {
  /** The platform's own id, digits as text. */
  readonly id: string;
}

/** A message that is not stored yet: it has no id. */
export interface UnsentMessage extends AddressedMessage {
  /** Absent before the platform stores the message. */
  readonly id?: string | undefined;
}

/** A message of which only the id is certain: a deleted, pinned or nested one. */
export interface PartialMessage extends MessageFields {
  /** The platform's own id, digits as text. */
  readonly id: string;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** The uid of who wrote it. */
  readonly sender?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** The uid, or the bare guid of a group. */
  readonly receiver?: string | undefined;
  /** What the message says. */
  readonly data?: ReceivedContent | undefined;
}

/** A message that says who wrote where. */
export interface AddressedMessage extends MessageFields {
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId: string;
  /** The uid of who wrote it; `app_system` for the platform itself. */
  readonly sender: string;
  /** `user` or `group`. */
  readonly receiverType: string;
  /** The uid, or the bare guid of a group. */
  readonly receiver: string;
  /** What the message says; empty where the delivery holds no content. */
  readonly data: ReceivedContent;
}

/** What any message may say besides who wrote where. */
export interface MessageFields {
  /** Made by the sending client; messages sent by REST have none. */
  readonly muid?: string | undefined;
  /** `message`, `custom`, `action`, `call` or a new one (docs/platform/messages.md#categories). */
  readonly category?: string | undefined;
  /** `text`, `image`, `file`, `audio` or `video`; of the category `custom` any. */
  readonly type?: string | undefined;
  /** When it was sent. */
  readonly sentAt?: Date | undefined;
  /** When it, or what belongs to it, last changed. */
  readonly updatedAt?: Date | undefined;
  /** When it arrived. */
  readonly deliveredAt?: Date | undefined;
  /** When it was read. */
  readonly readAt?: Date | undefined;
  /** When it was last edited. */
  readonly editedAt?: Date | undefined;
  /** The uid of who edited it last. */
  readonly editedBy?: string | undefined;
  /** When it was deleted. */
  readonly deletedAt?: Date | undefined;
  /** The uid of who deleted it; `app_system` for the app. */
  readonly deletedBy?: string | undefined;
  /** When it was pinned. */
  readonly pinnedAt?: Date | undefined;
  /** The uid of who pinned it. */
  readonly pinnedBy?: string | undefined;
  /** When its pin was taken away. */
  readonly unpinnedAt?: Date | undefined;
  /** The uid of who took its pin away. */
  readonly unpinnedBy?: string | undefined;
  /** The id of the message that this one answers in a thread. */
  readonly parentId?: string | undefined;
  /** Your own labels of the message. */
  readonly tags?: string[] | undefined;
  /** Who received and read it, in the platform's own form. */
  readonly receipts?: Record<string, unknown> | undefined;
}

/**
 * What a message says. Which fields there are depends on its category and type.
 * @see docs/platform/messages.md#shape-of-a-message
 */
export interface ReceivedContent {
  /** The text; holds `<@uid:UID>` for every mention. */
  readonly text?: string | undefined;
  /** Pictures and files. */
  readonly attachments?: Attachment[] | undefined;
  /** The file's address, where a message of a picture or file says it beside `attachments` (inferred). */
  readonly url?: string | undefined;
  /** What a message of the category `custom` holds, as its sender wrote it. */
  readonly customData?: Record<string, unknown> | undefined;
  /** Your own data of the message; below `@injected` stands the platform's. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Whom the text names, by uid (docs/platform/events.md#mentions). */
  readonly mentions?: Readonly<Record<string, User>> | undefined;
  /** The sending SDK and device. */
  readonly resource?: string | undefined;
  /** What the moderation thinks of it; absent where none looks at it. */
  readonly moderation?: ModerationMark | undefined;
  /** What was done; present in messages of the categories `action` and `call`. */
  readonly action?: string | undefined;
  /** Who and what the message is about, as they were when it was sent. */
  readonly entities?: MessageEntities | undefined;
}

/** A picture or file of a message. */
export interface Attachment {
  /** May be a signed address with an end (docs/platform/webhooks.md#addresses-of-media): store the file, not the address. */
  readonly url?: string | undefined;
  /** The file's name. */
  readonly name?: string | undefined;
  /** The end of the file's name, without the dot. */
  readonly extension?: string | undefined;
  /** Such as `image/png`. */
  readonly mimeType?: string | undefined;
  /** How big the file is, by the sender's word; was seen with fractions. */
  readonly size?: number | undefined;
}

/**
 * What the moderation thinks of a message.
 * @see docs/platform/moderation.md#status-of-a-message
 */
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
 * Who and what a message is about: plain messages have `sender` and `receiver`, those of the categories `action` and `call`
 * have `by`, `for` and `on`.
 * @see docs/platform/events.md#entities
 */
export interface MessageEntities {
  /** Who wrote it. */
  readonly sender?: UserEntity | undefined;
  /** The user or group that it was written to. */
  readonly receiver?: OtherEntity | undefined;
  /** Who did it. */
  readonly by?: UserEntity | undefined;
  /** The user or group that it was done for. */
  readonly for?: OtherEntity | undefined;
  /** The message, user, group or call that it was done to. */
  readonly on?: OtherEntity | undefined;
}

/** A person of a message. */
export interface UserEntity {
  /** The person. */
  readonly entity?: User | undefined;
  /** `user`. */
  readonly entityType?: string | undefined;
}

/** Something that a message is about. */
export interface OtherEntity {
  /** The thing, in the platform's own form. */
  readonly entity?: Record<string, unknown> | undefined;
  /** `user`, `group`, `message` or `call`. */
  readonly entityType?: string | undefined;
}
