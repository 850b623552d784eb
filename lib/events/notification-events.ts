import type * as z from "zod/mini";
import { conversationOf, groupConversation, userConversation } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";
import { groupSchema, partialMessageSchema, userSchema } from "./message.ts";
import { anyObject, each, id, listOf, number, open, optional, text, time } from "./scalars.ts";

const recipient = open({ uid: id, ...each(["name", "email", "phno"], text) });

const pushSchema = open({
  to: recipient,
  notificationDetails: open({
    ...each(
      [
        "title",
        "body",
        "senderName",
        "senderAvatar",
        "receiverName",
        "receiverAvatar",
        "receiverType",
        "type",
      ],
      text,
    ),
    ...each(["callAction", "callType"], text),
    ...each(["sender", "receiver", "tag", "conversationId", "sessionId"], id),
    sentAt: optional(time),
    unreadMessageCount: optional(number),
    message: optional(partialMessageSchema),
    custom: optional(anyObject),
  }),
});

const collectedMessage = open({
  sender: optional(userSchema),
  message: optional(text),
  messageObject: optional(partialMessageSchema),
});

const collectedSchema = open({
  to: recipient,
  messages: optional(listOf(collectedMessage)),
  senderDetails: optional(userSchema),
  groupDetails: optional(groupSchema),
  ...each(["subject", "smsContent"], text),
});

/** One per recipient. @see docs/internals/platform/other-calls.md#notification-providers */
export const notificationEvents = {
  ...defineEvents(
    "notification",
    ["push-notification-payload-generated"],
    pushSchema,
    ({ to, notificationDetails: notification }) => ({
      head: {
        ...firstMoment({ "data.notificationDetails.sentAt": notification.sentAt }),
        actor: notification.sender,
        conversation: conversationOf(notification),
      },
      facts: { to, notification },
    }),
  ),

  ...defineEvents("notification", ["email-notification-payload-generated"], collectedSchema, (data) =>
    readCollected(data, { subject: data.subject }),
  ),

  ...defineEvents("notification", ["sms-notification-payload-generated"], collectedSchema, (data) =>
    readCollected(data, { smsContent: data.smsContent }),
  ),
};

function readCollected<Content>(
  { to, messages = [], senderDetails: sender, groupDetails: group }: z.output<typeof collectedSchema>,
  content: Content,
) {
  const conversation =
    group === undefined ? userConversation(to.uid, sender?.uid) : groupConversation(group.guid);
  return { head: { actor: sender?.uid, conversation }, facts: { to, messages, sender, group, ...content } };
}
