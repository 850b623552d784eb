import type { KnownEvent } from "./known-event.ts";

/**
 * A client received a message. Clients alone make these.
 * @see docs/platform/events.md#receipts
 */
export interface MessageDeliveryReceiptEvent extends KnownEvent<"webhook", "message_delivery_receipt"> {
  /** Who received which message, and when. */
  readonly receipt: Receipt;
}

/**
 * Somebody read a message. Clients alone make these.
 * @see docs/platform/events.md#receipts
 */
export interface MessageReadReceiptEvent extends KnownEvent<"webhook", "message_read_receipt"> {
  /** Who read which message, and when. */
  readonly receipt: Receipt;
}

/**
 * The last member of a group received a message; needs a setting of the app.
 * @see docs/platform/events.md#receipts-of-all
 */
export interface MessageDeliveredToAllEvent extends KnownEvent<"webhook", "message_delivered_to_all"> {
  /** Which message, and when; its reader is `app_system`. */
  readonly receipt: Receipt;
}

/**
 * The last member of a group read a message; needs a setting of the app.
 * @see docs/platform/events.md#receipts-of-all
 */
export interface MessageReadByAllEvent extends KnownEvent<"webhook", "message_read_by_all"> {
  /** Which message, and when; its reader is `app_system`. */
  readonly receipt: Receipt;
}

/**
 * A client received a message.
 * @see docs/platform/legacy-engine.md#legacy-receipts
 */
export interface LegacyMessageDeliveryReceiptEvent extends KnownEvent<"legacy", "message_delivery_receipt"> {
  /** Who received which message, and when. */
  readonly receipt: Receipt;
}

/**
 * Somebody read a message.
 * @see docs/platform/legacy-engine.md#legacy-receipts
 */
export interface LegacyMessageReadReceiptEvent extends KnownEvent<"legacy", "message_read_receipt"> {
  /** Who read which message, and when. */
  readonly receipt: Receipt;
}

/** That a message arrived or was read, in one form for both engines. */
export interface Receipt {
  /** The id of the message. */
  readonly messageId: string;
  /** `delivered`, `read`, `deliveredToAll`, `readByAll` or a new one. */
  readonly action: string;
  /** The uid of who received or read; `app_system` where everybody did. */
  readonly reader: string | undefined;
  /** The uid of who wrote the message. */
  readonly author: string | undefined;
  /** When it arrived or was read. */
  readonly at: Date | undefined;
}
