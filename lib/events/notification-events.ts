import * as z from "zod/mini";
import { conversationOf, groupConversation, userConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { partialMessageSchema } from "./message.ts";
import { anyObject, decoration, id, milliseconds, number, open, text } from "./scalars.ts";
import { groupSchema, userSchema } from "./users-and-groups.ts";

const family = "notification";

const collectedMessage = open({
  sender: decoration(userSchema),
  message: z.optional(text),
  /** Present where the provider's settings include it. */
  messageObject: decoration(partialMessageSchema),
});

/** `email` and `phno` are missing where the platform does not store addresses: look them up by uid. */
const recipient = open({
  uid: id,
  name: decoration(text),
  email: z.optional(text),
  phno: z.optional(text),
});

const collectedShape = {
  to: recipient,
  messages: z.optional(z.array(collectedMessage)),
  /** Present for messages between two people. */
  senderDetails: z.optional(userSchema),
  /** Present for messages in a group. */
  groupDetails: z.optional(groupSchema),
};
const emailSchema = open({ ...collectedShape, subject: z.optional(text) });
const smsSchema = open({ ...collectedShape, smsContent: z.optional(text) });
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
        title: z.optional(text),
        body: z.optional(text),
        sender: z.optional(id),
        senderName: decoration(text),
        senderAvatar: decoration(text),
        receiver: z.optional(id),
        receiverName: decoration(text),
        receiverAvatar: decoration(text),
        receiverType: z.optional(text),
        /** The id of the message; for what happens to a group, its guid. */
        tag: z.optional(id),
        conversationId: z.optional(id),
        /** `call`, or `chat` for everything else. */
        type: z.optional(text),
        /** Text of milliseconds in the delivery. */
        sentAt: z.optional(milliseconds),
        unreadMessageCount: decoration(number),
        message: decoration(partialMessageSchema),
        custom: decoration(anyObject),
        callAction: z.optional(text),
        sessionId: z.optional(id),
        callType: decoration(text),
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
