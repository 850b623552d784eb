import type * as z from "zod/mini";
import { conversationOf, groupConversation, userConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { partialMessageSchema } from "./message.ts";
import { anyObject, id, listOf, number, open, optional, text, time } from "./scalars.ts";
import { groupSchema, userSchema } from "./users-and-groups.ts";

const family = "notification";

const collectedMessage = open({
  sender: optional(userSchema),
  message: optional(text),
  messageObject: optional(partialMessageSchema),
});

const recipient = open({
  uid: id,
  name: optional(text),
  email: optional(text),
  phno: optional(text),
});

const collectedShape = {
  to: recipient,
  messages: optional(listOf(collectedMessage)),
  senderDetails: optional(userSchema),
  groupDetails: optional(groupSchema),
};
const emailSchema = open({ ...collectedShape, subject: optional(text) });
const smsSchema = open({ ...collectedShape, smsContent: optional(text) });
type CollectedData = z.output<typeof emailSchema> | z.output<typeof smsSchema>;

/**
 * Reads deliveries to custom providers, one per recipient.
 * @see docs/internals/platform/other-calls.md#notification-providers
 */
export const notificationEvents = {
  "push-notification-payload-generated": defineEvent({
    family,
    trigger: "push-notification-payload-generated",
    schema: open({
      to: recipient,
      notificationDetails: open({
        title: optional(text),
        body: optional(text),
        sender: optional(id),
        senderName: optional(text),
        senderAvatar: optional(text),
        receiver: optional(id),
        receiverName: optional(text),
        receiverAvatar: optional(text),
        receiverType: optional(text),
        tag: optional(id),
        conversationId: optional(id),
        type: optional(text),
        sentAt: optional(time),
        unreadMessageCount: optional(number),
        message: optional(partialMessageSchema),
        custom: optional(anyObject),
        callAction: optional(text),
        sessionId: optional(id),
        callType: optional(text),
      }),
    }),
    normalise: ({ to, notificationDetails: notification }) => ({
      head: {
        ...firstMoment({ "data.notificationDetails.sentAt": notification.sentAt }),
        actor: notification.sender,
        conversation: conversationOf(notification),
      },
      facts: { to, notification },
    }),
  }),

  "email-notification-payload-generated": defineEvent({
    family,
    trigger: "email-notification-payload-generated",
    schema: emailSchema,
    normalise: (data) => ({
      head: collectedHead(data),
      facts: { ...collectedFacts(data), subject: data.subject },
    }),
  }),

  "sms-notification-payload-generated": defineEvent({
    family,
    trigger: "sms-notification-payload-generated",
    schema: smsSchema,
    normalise: (data) => ({
      head: collectedHead(data),
      facts: { ...collectedFacts(data), smsContent: data.smsContent },
    }),
  }),
};

function collectedHead({ to, senderDetails, groupDetails }: CollectedData) {
  const conversation =
    groupDetails === undefined
      ? userConversation(to.uid, senderDetails?.uid)
      : groupConversation(groupDetails.guid);
  return { actor: senderDetails?.uid, conversation };
}

function collectedFacts({ to, messages = [], senderDetails, groupDetails }: CollectedData) {
  return { to, messages, sender: senderDetails, group: groupDetails };
}
