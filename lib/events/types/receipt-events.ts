import type { KnownEvent } from "./known-event.ts";

/**
 * A client received a message. Only clients cause this event.
 * @see docs/internals/platform/events.md#receipts
 */
export interface MessageDeliveryReceiptEvent extends KnownEvent<"webhook", "message_delivery_receipt"> {
  readonly receipt: Receipt;
}

/** A user read a message. Only clients cause this event. @see docs/internals/platform/events.md#receipts */
export interface MessageReadReceiptEvent extends KnownEvent<"webhook", "message_read_receipt"> {
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
  readonly receipt: Receipt;
}

/** A user read a message. @see docs/internals/platform/legacy-engine.md#legacy-receipts */
export interface LegacyMessageReadReceiptEvent extends KnownEvent<"legacy", "message_read_receipt"> {
  readonly receipt: Receipt;
}

/** A delivery or read receipt, in one form for both engines. */
export interface Receipt {
  readonly messageId: string;
  /** `delivered`, `read`, `deliveredToAll`, `readByAll` or a new one. */
  readonly action: string;
  /** uid of the user who received or read it; `app_system` if all members did. */
  readonly reader: string | undefined;
  /** uid of the sender. */
  readonly author: string | undefined;
  readonly at: Date | undefined;
}
