import type { KnownEvent } from "./known-event.ts";
import type { Message, PartialMessage } from "./message.ts";
import type { User } from "./users-and-groups.ts";

/**
 * A user sent a message, through a client or REST.
 * @see docs/internals/platform/events.md#what-fires-message_sent
 */
export interface MessageSentEvent extends KnownEvent<"webhook", "message_sent"> {
  /** The message. */
  readonly message: Message;
}

/**
 * A message mentions users. Sent in addition to `message_sent`, or with an edit.
 * @see docs/internals/platform/events.md#mentions
 */
export interface UserMentionedEvent extends KnownEvent<"webhook", "user_mentioned"> {
  /** The message with the mentions. */
  readonly message: Message;
  /** The uids of the mentioned users, each once. */
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
  /** When edited. */
  readonly editedAt: Date | undefined;
}

/** A message was deleted. @see docs/internals/platform/events.md#edited-and-deleted-messages */
export interface MessageDeletedEvent extends KnownEvent<"webhook", "message_deleted"> {
  /** The message; only its id is certain. */
  readonly message: PartialMessage;
  /** uid of the user who deleted it. */
  readonly deletedBy: string | undefined;
  /** When deleted. */
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
  /** The reaction's own id. */
  readonly id: string;
  /** Id of the message. */
  readonly messageId: string;
  /** The emoji. */
  readonly reaction: string;
  /** uid of the user who reacted. */
  readonly uid?: string | undefined;
  /** When created. */
  readonly reactedAt?: Date | undefined;
  /** The user who reacted. */
  readonly reactedBy?: User | undefined;
}

/**
 * A client received a message. Only clients cause this event.
 * @see docs/internals/platform/events.md#receipts
 */
export interface MessageDeliveryReceiptEvent extends KnownEvent<"webhook", "message_delivery_receipt"> {
  /** Reader, message and time. */
  readonly receipt: Receipt;
}

/** A user read a message. Only clients cause this event. @see docs/internals/platform/events.md#receipts */
export interface MessageReadReceiptEvent extends KnownEvent<"webhook", "message_read_receipt"> {
  /** Reader, message and time. */
  readonly receipt: Receipt;
}

/**
 * The last member of a group received a message. Requires a setting of the app.
 * @see docs/internals/platform/events.md#receipts-of-all
 */
export interface MessageDeliveredToAllEvent extends KnownEvent<"webhook", "message_delivered_to_all"> {
  /** Message and time; the reader is `app_system`. */
  readonly receipt: Receipt;
}

/**
 * The last member of a group read a message. Requires a setting of the app.
 * @see docs/internals/platform/events.md#receipts-of-all
 */
export interface MessageReadByAllEvent extends KnownEvent<"webhook", "message_read_by_all"> {
  /** Message and time; the reader is `app_system`. */
  readonly receipt: Receipt;
}

/** A client received a message. @see docs/internals/platform/legacy-engine.md#legacy-receipts */
export interface LegacyMessageDeliveryReceiptEvent extends KnownEvent<"legacy", "message_delivery_receipt"> {
  /** Reader, message and time. */
  readonly receipt: Receipt;
}

/** A user read a message. @see docs/internals/platform/legacy-engine.md#legacy-receipts */
export interface LegacyMessageReadReceiptEvent extends KnownEvent<"legacy", "message_read_receipt"> {
  /** Reader, message and time. */
  readonly receipt: Receipt;
}

/** A delivery or read receipt, in one form for both engines. */
export interface Receipt {
  /** Id of the message. */
  readonly messageId: string;
  /** `delivered`, `read`, `deliveredToAll`, `readByAll` or a new one. */
  readonly action: string;
  /** uid of the user who received or read it; `app_system` if all members did. */
  readonly reader: string | undefined;
  /** uid of the sender. */
  readonly author: string | undefined;
  /** When the message was delivered or read. */
  readonly at: Date | undefined;
}
