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
  /** Present where the provider's settings include it. */
  messageObject: optional(partialMessageSchema),
});

/** `email` and `phno` are missing where the platform does not store addresses: look them up by uid. */
const recipient = open({
  uid: id,
  name: optional(text),
  email: optional(text),
  phno: optional(text),
});

const collectedShape = {
  to: recipient,
  messages: optional(listOf(collectedMessage)),
  /** Present for messages between two people. */
  senderDetails: optional(userSchema),
  /** Present for messages in a group. */
  groupDetails: optional(groupSchema),
};
const emailSchema = open({ ...collectedShape, subject: optional(text) });
const smsSchema = open({ ...collectedShape, smsContent: optional(text) });
type CollectedMessages = z.output<typeof emailSchema> | z.output<typeof smsSchema>;

/**
 * Reads what custom providers are asked to deliver, one delivery per recipient.
 * @see docs/platform/other-calls.md#notification-providers
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
        /** The id of the message; for what happens to a group, its guid. */
        tag: optional(id),
        conversationId: optional(id),
        /** `call`, or `chat` for everything else. */
        type: optional(text),
        /** Text of milliseconds in the delivery. */
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

function collectedHead({ to, senderDetails, groupDetails }: CollectedMessages) {
  const conversation =
    groupDetails === undefined
      ? userConversation(to.uid, senderDetails?.uid)
      : groupConversation(groupDetails.guid);
  return { actor: senderDetails?.uid, conversation };
}

function collectedFacts({ to, messages = [], senderDetails, groupDetails }: CollectedMessages) {
  return { to, messages, sender: senderDetails, group: groupDetails };
}
