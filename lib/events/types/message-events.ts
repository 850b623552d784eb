import type { KnownEvent } from "./known-event.ts";
import type { Message, PartialMessage } from "./message.ts";
import type { User } from "./user.ts";

/**
 * A user sent a message, through a client or REST.
 * @see docs/internals/platform/events.md#what-fires-message_sent
 */
export interface MessageSentEvent extends KnownEvent<"webhook", "message_sent"> {
  readonly message: Message;
}

/**
 * A message mentions users. Sent in addition to `message_sent`, or with an edit.
 * @see docs/internals/platform/events.md#mentions
 */
export interface UserMentionedEvent extends KnownEvent<"webhook", "user_mentioned"> {
  readonly message: Message;
  /** Each once. */
  readonly mentionedUids: readonly string[];
}

/**
 * A message got a new text or new data.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export interface MessageEditedEvent extends KnownEvent<"webhook", "message_edited"> {
  /** The message in its new form, with its original id. */
  readonly message: PartialMessage;
  /** uid of the user who edited it. */
  readonly editedBy: string | undefined;
  readonly editedAt: Date | undefined;
}

/** A message was deleted. @see docs/internals/platform/events.md#edited-and-deleted-messages */
export interface MessageDeletedEvent extends KnownEvent<"webhook", "message_deleted"> {
  /** The message; only its id is certain. */
  readonly message: PartialMessage;
  /** uid of the user who deleted it. */
  readonly deletedBy: string | undefined;
  readonly deletedAt: Date | undefined;
}

/** A message was pinned in its conversation. @see docs/internals/platform/events.md#pinned-messages */
export interface MessagePinnedEvent extends KnownEvent<"webhook", "message_pinned"> {
  /** Besides the id, only `pinnedBy` and `pinnedAt` are certain. */
  readonly message: PartialMessage;
}

/** A pinned message was unpinned. @see docs/internals/platform/events.md#pinned-messages */
export interface MessageUnpinnedEvent extends KnownEvent<"webhook", "message_unpinned"> {
  /** Besides the id, only `unpinnedBy` and `unpinnedAt` are certain. */
  readonly message: PartialMessage;
}

/** A user reacted to a message. @see docs/internals/platform/events.md#reaction-events */
export interface MessageReactionAddedEvent extends KnownEvent<"webhook", "message_reaction_added"> {
  /** Names its message, not its conversation. */
  readonly reaction: GivenReaction;
}

/** A user removed a reaction. @see docs/internals/platform/events.md#reaction-events */
export interface MessageReactionRemovedEvent extends KnownEvent<"webhook", "message_reaction_removed"> {
  /** As created; the time of removal is unknown. */
  readonly reaction: GivenReaction;
}

/** One user's reaction to one message. */
export interface GivenReaction {
  readonly id: string;
  readonly messageId: string;
  /** The emoji. */
  readonly reaction: string;
  readonly uid?: string | undefined;
  readonly reactedAt?: Date | undefined;
  readonly reactedBy?: User | undefined;
}
