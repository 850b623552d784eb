import type { Group } from "./group.ts";
import type { KnownEvent } from "./known-event.ts";
import type { PartialMessage } from "./message.ts";
import type { User } from "./user.ts";

/**
 * A push is to be sent by a provider of yours.
 * @see docs/platform/other-calls.md#push
 */
export interface PushNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "push-notification-payload-generated"> {
  /** Who is to get it. */
  readonly to: NotificationRecipient;
  /** What it is to say. */
  readonly notification: PushPayload;
}

/**
 * An e-mail is to be sent by a provider of yours.
 * @see docs/platform/other-calls.md#e-mail-and-sms
 */
export interface EmailNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "email-notification-payload-generated">,
    CollectedMessages {
  /** What the e-mail is to be called. */
  readonly subject: string | undefined;
}

/**
 * An SMS is to be sent by a provider of yours.
 * @see docs/platform/other-calls.md#e-mail-and-sms
 */
export interface SmsNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "sms-notification-payload-generated">,
    CollectedMessages {
  /** What the SMS is to say. */
  readonly smsContent: string | undefined;
}

/** Who is to get a notification; `email` and `phno` are missing where the platform does not store addresses: look them up by uid. */
export interface NotificationRecipient {
  /** The recipient's uid. */
  readonly uid: string;
  /** The name that others see. */
  readonly name?: string | undefined;
  /** The address to write to. */
  readonly email?: string | undefined;
  /** The phone number to write to. */
  readonly phno?: string | undefined;
}

/** What has gathered for one recipient and is still unread. */
export interface CollectedMessages {
  /** Who is to get it. */
  readonly to: NotificationRecipient;
  /** What was said. */
  readonly messages: readonly CollectedMessage[];
  /** Who wrote; `undefined` for messages in a group. */
  readonly sender: User | undefined;
  /** Where they were written; `undefined` for messages between two people. */
  readonly group: Group | undefined;
}

/** One of the messages that an e-mail or an SMS is about. */
export interface CollectedMessage {
  /** Who wrote it. */
  readonly sender?: User | undefined;
  /** What it says, in one text. */
  readonly message?: string | undefined;
  /** The message itself; present where the provider's settings include it. */
  readonly messageObject?: PartialMessage | undefined;
}

/**
 * A push as it is to be shown.
 * @see docs/platform/other-calls.md#push
 */
export interface PushPayload {
  /** Its first line. */
  readonly title?: string | undefined;
  /** Its text. */
  readonly body?: string | undefined;
  /** The uid of whose doing it tells. */
  readonly sender?: string | undefined;
  /** The name of the sender. */
  readonly senderName?: string | undefined;
  /** The address of the sender's picture. */
  readonly senderAvatar?: string | undefined;
  /** The uid, or the guid of a group, that it was done to. */
  readonly receiver?: string | undefined;
  /** The name of the receiver. */
  readonly receiverName?: string | undefined;
  /** The address of the receiver's picture. */
  readonly receiverAvatar?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** The id of the message; for what happens to a group, its guid. */
  readonly tag?: string | undefined;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** `call`, or `chat` for everything else. */
  readonly type?: string | undefined;
  /** When it happened. */
  readonly sentAt?: Date | undefined;
  /** How many messages the recipient has not read. */
  readonly unreadMessageCount?: number | undefined;
  /** The message that it tells of; present where the provider's settings include it. */
  readonly message?: PartialMessage | undefined;
  /** Whatever else the push is to carry. */
  readonly custom?: Record<string, unknown> | undefined;
  /** Of a call: what was done, such as `initiated`. */
  readonly callAction?: string | undefined;
  /** Of a call: the id of the media session. */
  readonly sessionId?: string | undefined;
  /** Of a call: `audio` or `video`. */
  readonly callType?: string | undefined;
}
