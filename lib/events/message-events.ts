import { conversationOf, groupConversation, userConversation } from "./conversation.ts";
import { defineEvents, firstMoment, type HeadFacts } from "./define-event.ts";
import { messageSchema, partialMessageSchema, userSchema } from "./message.ts";
import { isActionMessage } from "./occurrence-content.ts";
import { each, filledText, id, open, optional, orEmpty, text, time } from "./scalars.ts";
import type { Message, PartialMessage } from "./types/message.ts";

const wholeMessage = open({ message: messageSchema });

const actionForm = open({
  message: open({
    ...each(["conversationId", "sender", "receiver"], id),
    receiverType: optional(text),
    sentAt: optional(time),
    data: open({
      entities: open({
        by: orEmpty(open({ entity: optional(userSchema) })),
        on: open({ entity: partialMessageSchema }),
      }),
    }),
  }),
});

/** Except receipts. @see docs/internals/platform/events.md#message-events */
export const messageEvents = {
  ...defineEvents("webhook", ["message_sent"], wholeMessage, ({ message }) => ({
    head: messageHead(message, { "data.message.sentAt": message.sentAt }),
    facts: { message },
  })),

  // An edit may add the mention.
  ...defineEvents("webhook", ["user_mentioned"], wholeMessage, ({ message }) => ({
    head: messageHead(message, {
      "data.message.editedAt": message.editedAt,
      "data.message.sentAt": message.sentAt,
    }),
    facts: { message, mentionedUids: mentionedUids(message) },
  })),

  ...changedMessageEvent("message_edited", "edited", (message, editedBy, editedAt) => ({
    message,
    editedBy,
    editedAt,
  })),

  ...changedMessageEvent("message_deleted", "deleted", (message, deletedBy, deletedAt) => ({
    message,
    deletedBy,
    deletedAt,
  })),

  ...defineEvents(
    "webhook",
    ["message_pinned", "message_unpinned"],
    open({ message: partialMessageSchema }),
    ({ message }, trigger) => {
      const verb = trigger === "message_pinned" ? "pinned" : "unpinned";
      const { [`${verb}At` as const]: at, [`${verb}By` as const]: actor } = message;
      const moment = firstMoment({ [`data.message.${verb}At`]: at });
      return { head: { ...moment, actor, conversation: conversationOf(message) }, facts: { message } };
    },
  ),

  ...defineEvents(
    "webhook",
    ["message_reaction_added", "message_reaction_removed"],
    open({
      reaction: open({
        id,
        messageId: id,
        reaction: filledText,
        uid: optional(id),
        reactedAt: optional(time),
        reactedBy: optional(userSchema),
      }),
    }),
    ({ reaction }, trigger) => ({
      head: {
        // A removed reaction has only its creation time.
        ...(trigger === "message_reaction_added" &&
          firstMoment({ "data.reaction.reactedAt": reaction.reactedAt })),
        actor: reaction.uid ?? reaction.reactedBy?.uid,
      },
      facts: { reaction },
    }),
  ),
};

function messageHead(message: Message, moments: Record<string, Date | undefined>): HeadFacts {
  return { ...firstMoment(moments), actor: message.sender, conversation: conversationOf(message) };
}

/**
 * Without the map, the text names the users (docs/internals/platform/events.md#mentions). A mark ends where
 * the next begins: unclosed marks must not each cause a scan to the end.
 */
function mentionedUids(message: Message): readonly string[] {
  const mapped = Object.keys(message.data.mentions ?? {});
  if (mapped.length > 0) return mapped;
  const marks = message.data.text?.matchAll(/<@uid:([^<>]+)>/g) ?? [];
  return [...new Set(Array.from(marks, ([, uid = ""]) => uid))];
}

/**
 * Reads either form: as documented, an action message that contains the changed one; as seen live, the
 * changed message itself.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
function changedMessageEvent<const Trigger extends string, Facts>(
  trigger: Trigger,
  action: "edited" | "deleted",
  factsOf: (message: PartialMessage, by: string | undefined, at: Date | undefined) => Facts,
) {
  /** `by` and `moments` apply if the message does not name them. */
  const toEvent = (
    message: PartialMessage,
    field: string,
    by?: string,
    moments: Record<string, Date | undefined> = {},
  ) => {
    const { [`${action}At` as const]: changedAt, [`${action}By` as const]: actor = by } = message;
    const moment = firstMoment({ [`${field}.${action}At`]: changedAt, ...moments });
    const head = { ...moment, actor, conversation: conversationOf(message) };
    return { head, facts: factsOf(message, actor, moment.occurredAt) };
  };
  return defineEvents(
    "webhook",
    [trigger],
    open({ message: partialMessageSchema }),
    ({ message }) => toEvent(message, "data.message"),
    {
      isUsed: (data) => isActionMessage(data, action),
      schema: actionForm,
      normalise: ({ message: { data, conversationId, receiverType, receiver, sender, sentAt } }) => {
        const { by, on } = data.entities;
        const message = {
          ...on.entity,
          // May hold only its id; it was deleted in the same conversation.
          conversationId: on.entity.conversationId ?? conversationId,
          receiverType: on.entity.receiverType ?? receiverType,
          receiver: on.entity.receiver ?? receiver,
        };
        const field = "data.message.data.entities.on.entity";
        return toEvent(message, field, by.entity?.uid ?? sender, { "data.message.sentAt": sentAt });
      },
    },
  );
}

/** docs/internals/platform/events.md#receipts */
const actions = {
  message_delivery_receipt: "delivered",
  message_read_receipt: "read",
  message_delivered_to_all: "deliveredToAll",
  message_read_by_all: "readByAll",
};

/** @see docs/internals/platform/events.md#receipts */
export const receiptEvents = defineEvents(
  "webhook",
  ["message_delivery_receipt", "message_read_receipt", "message_delivered_to_all", "message_read_by_all"],
  open({
    ...each(["receiver", "sender", "messageSender"], id),
    receiverType: optional(text),
    body: open({
      action: optional(filledText),
      messageId: id,
      user: optional(userSchema),
      timestamp: optional(time),
    }),
  }),
  ({ body, ...receipt }, trigger) => {
    const { messageId, action = actions[trigger], timestamp } = body;
    const reader = body.user?.uid ?? receipt.sender;
    return readReceipt({ ...receipt, messageId, action, reader }, "data.body.timestamp", timestamp);
  },
);

/** Of the same names. @see docs/internals/platform/legacy-engine.md#legacy-receipts */
export const legacyReceiptEvents = defineEvents(
  "legacy",
  ["message_delivery_receipt", "message_read_receipt"],
  open({
    messageId: id,
    receiptType: optional(filledText),
    ...each(["deliveredAt", "readAt"], time),
    ...each(["messageSender", "receiptSender", "receiptReceiver"], id),
    receiverType: optional(text),
  }),
  ({ receiptType: action, receiptSender: reader, receiptReceiver: receiver, ...receipt }, trigger) => {
    // A read message's time of delivery is not that of reading.
    const field = trigger === "message_read_receipt" ? "readAt" : "deliveredAt";
    const read = { ...receipt, action: action ?? actions[trigger], reader, receiver };
    return readReceipt(read, `data.${field}`, receipt[field]);
  },
);

interface ReadFields {
  readonly messageId: string;
  readonly action: string;
  readonly reader: string | undefined;
  readonly receiver?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly messageSender?: string | undefined;
}

function readReceipt(fields: ReadFields, atField: string, at: Date | undefined) {
  const { messageId, action, reader, receiver, messageSender } = fields;
  const guid = fields.receiverType === "group" ? receiver : undefined;
  // Between two users, the receipt's receiver is the message's author.
  const author = messageSender ?? (fields.receiverType === "group" ? undefined : receiver);
  const conversation = guid === undefined ? userConversation(reader, author) : groupConversation(guid);
  const head = { ...firstMoment({ [atField]: at }), actor: reader, conversation };
  return { head, facts: { receipt: { messageId, action, reader, author, at } } };
}
