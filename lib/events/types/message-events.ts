import type { KnownEvent } from "./known-event.ts";
import type { Message, PartialMessage } from "./message.ts";
import type { User } from "./user.ts";

/**
 * Somebody sent a message, by a client or by REST.
 * @see docs/platform/events.md#what-fires-message_sent
 */
export interface MessageSentEvent extends KnownEvent<"webhook", "message_sent"> {
  /** The message. */
  readonly message: Message;
}

/**
 * A message names people. Comes beside `message_sent`, or with an edit.
 * @see docs/platform/events.md#mentions
 */
export interface UserMentionedEvent extends KnownEvent<"webhook", "user_mentioned"> {
  /** The message that names them. */
  readonly message: Message;
  /** The uids of those whom it names, each once. */
  readonly mentionedUids: readonly string[];
}

/**
 * A message got a new text or new data.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export interface MessageEditedEvent extends KnownEvent<"webhook", "message_edited"> {
  /** The message in its new form, under the id it always had. */
  readonly message: PartialMessage;
  /** The uid of who edited it. */
  readonly editedBy: string | undefined;
  /** When it was edited. */
  readonly editedAt: Date | undefined;
}

/**
 * A message was deleted.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export interface MessageDeletedEvent extends KnownEvent<"webhook", "message_deleted"> {
  /** The message, of which no more than the id is certain. */
  readonly message: PartialMessage;
  /** The uid of who deleted it. */
  readonly deletedBy: string | undefined;
  /** When it was deleted. */
  readonly deletedAt: Date | undefined;
}

/**
 * A message was pinned in its conversation.
 * @see docs/platform/events.md#pinned-messages
 */
export interface MessagePinnedEvent extends KnownEvent<"webhook", "message_pinned"> {
  /** The message; `pinnedBy` and `pinnedAt` tell who and when, and nothing else of it is sure. */
  readonly message: PartialMessage;
}

/**
 * A pinned message was unpinned.
 * @see docs/platform/events.md#pinned-messages
 */
export interface MessageUnpinnedEvent extends KnownEvent<"webhook", "message_unpinned"> {
  /** The message; `unpinnedBy` and `unpinnedAt` tell who and when, and nothing else of it is sure. */
  readonly message: PartialMessage;
}

/**
 * Somebody reacted to a message.
 * @see docs/platform/events.md#reaction-events
 */
export interface MessageReactionAddedEvent extends KnownEvent<"webhook", "message_reaction_added"> {
  /** The reaction; it names its message, not its conversation. */
  readonly reaction: GivenReaction;
}

/**
 * Somebody took a reaction back.
 * @see docs/platform/events.md#reaction-events
 */
export interface MessageReactionRemovedEvent extends KnownEvent<"webhook", "message_reaction_removed"> {
  /** The reaction as it was made: nothing says when it was taken back. */
  readonly reaction: GivenReaction;
}

/** One person's reaction to one message. */
export interface GivenReaction {
  /** The reaction's own id. */
  readonly id: string;
  /** The id of the message. */
  readonly messageId: string;
  /** The emoji. */
  readonly reaction: string;
  /** The uid of who reacted. */
  readonly uid?: string | undefined;
  /** When it was made. */
  readonly reactedAt?: Date | undefined;
  /** Who reacted. */
  readonly reactedBy?: User | undefined;
}
