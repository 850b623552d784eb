import type { KnownEvent } from "./known-event.ts";
import type { PartialMessage } from "./message.ts";
import type { Group, User } from "./users-and-groups.ts";

/** A push for your custom provider to send. @see docs/internals/platform/other-calls.md#push */
export interface PushNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "push-notification-payload-generated"> {
  /** The recipient. */
  readonly to: NotificationRecipient;
  /** The content. */
  readonly notification: PushPayload;
}

/** An e-mail for your custom provider to send. @see docs/internals/platform/other-calls.md#e-mail-and-sms */
export interface EmailNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "email-notification-payload-generated">,
    CollectedMessages {
  /** The subject of the e-mail. */
  readonly subject: string | undefined;
}

/** An SMS for your custom provider to send. @see docs/internals/platform/other-calls.md#e-mail-and-sms */
export interface SmsNotificationPayloadGeneratedEvent
  extends KnownEvent<"notification", "sms-notification-payload-generated">,
    CollectedMessages {
  /** The text of the SMS. */
  readonly smsContent: string | undefined;
}

/** `email` and `phno` are missing if the platform does not store addresses: look them up by uid. */
export interface NotificationRecipient {
  /** The recipient's uid. */
  readonly uid: string;
  /** Name that others see. */
  readonly name?: string | undefined;
  /** The e-mail address. */
  readonly email?: string | undefined;
  /** The phone number. */
  readonly phno?: string | undefined;
}

/** The unread messages collected for one recipient. */
export interface CollectedMessages {
  /** The recipient. */
  readonly to: NotificationRecipient;
  /** The messages. */
  readonly messages: readonly CollectedMessage[];
  /** The sender; `undefined` for messages in a group. */
  readonly sender: User | undefined;
  /** The group; `undefined` for messages between two users. */
  readonly group: Group | undefined;
}

/** One of the messages in an e-mail or SMS. */
export interface CollectedMessage {
  /** The sender. */
  readonly sender?: User | undefined;
  /** The content as one text. */
  readonly message?: string | undefined;
  /** If the provider's settings include it. */
  readonly messageObject?: PartialMessage | undefined;
}

/** The content of a push. @see docs/internals/platform/other-calls.md#push */
export interface PushPayload {
  /** Its first line. */
  readonly title?: string | undefined;
  /** Its text. */
  readonly body?: string | undefined;
  /** uid of the acting user. */
  readonly sender?: string | undefined;
  /** The sender's name. */
  readonly senderName?: string | undefined;
  /** URL of the sender's picture. */
  readonly senderAvatar?: string | undefined;
  /** uid of the receiving user, or the guid of the group. */
  readonly receiver?: string | undefined;
  /** The receiver's name. */
  readonly receiverName?: string | undefined;
  /** URL of the receiver's picture. */
  readonly receiverAvatar?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** Message id; for group events, the guid. */
  readonly tag?: string | undefined;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** `call`, or `chat` for all else. */
  readonly type?: string | undefined;
  /** When happened. */
  readonly sentAt?: Date | undefined;
  /** The recipient's number of unread messages. */
  readonly unreadMessageCount?: number | undefined;
  /** If the provider's settings include it. */
  readonly message?: PartialMessage | undefined;
  /** Further content of the push. */
  readonly custom?: Record<string, unknown> | undefined;
  /** For a call: the action, such as `initiated`. */
  readonly callAction?: string | undefined;
  /** For a call: the id of the media session. */
  readonly sessionId?: string | undefined;
  /** For a call: `audio` or `video`. */
  readonly callType?: string | undefined;
}
