import { changedMessageEvent } from "./changed-message.ts";
import { conversationOf } from "./conversation.ts";
import { defineEvent, type HeadFacts } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema, partialMessageSchema } from "./message.ts";
import { filledText, id, open, optional, time } from "./scalars.ts";
import type { Message } from "./types/message.ts";
import { userSchema } from "./users-and-groups.ts";

const family = "webhook";
const wholeMessage = open({ message: messageSchema });
const pinnedMessage = open({ message: partialMessageSchema });

/** Reads events of messages, except receipts. @see docs/internals/platform/events.md#message-events */
export const messageEvents = {
  message_sent: defineEvent({
    family,
    trigger: "message_sent",
    schema: wholeMessage,
    normalise: ({ message }) => ({ head: sentHead(message), facts: { message } }),
  }),

  user_mentioned: defineEvent({
    family,
    trigger: "user_mentioned",
    schema: wholeMessage,
    normalise: ({ message }) => ({
      head: {
        ...sentHead(message),
        // An edit may add the mention.
        ...firstMoment({
          "data.message.editedAt": message.editedAt,
          "data.message.sentAt": message.sentAt,
        }),
      },
      facts: { message, mentionedUids: mentionedUids(message) },
    }),
  }),

  message_edited: changedMessageEvent("message_edited", "edited", ({ message, field, by, at }) => {
    const editedBy = message.editedBy ?? by;
    const moment = firstMoment({ [`${field}.editedAt`]: message.editedAt, ...at });
    return { moment, actor: editedBy, facts: { message, editedBy, editedAt: moment.occurredAt } };
  }),

  message_deleted: changedMessageEvent("message_deleted", "deleted", ({ message, field, by, at }) => {
    const deletedBy = message.deletedBy ?? by;
    const moment = firstMoment({ [`${field}.deletedAt`]: message.deletedAt, ...at });
    return { moment, actor: deletedBy, facts: { message, deletedBy, deletedAt: moment.occurredAt } };
  }),

  message_pinned: defineEvent({
    family,
    trigger: "message_pinned",
    schema: pinnedMessage,
    normalise: ({ message }) => ({
      head: {
        ...firstMoment({ "data.message.pinnedAt": message.pinnedAt }),
        actor: message.pinnedBy,
        conversation: conversationOf(message),
      },
      facts: { message },
    }),
  }),

  message_unpinned: defineEvent({
    family,
    trigger: "message_unpinned",
    schema: pinnedMessage,
    normalise: ({ message }) => ({
      head: {
        ...firstMoment({ "data.message.unpinnedAt": message.unpinnedAt }),
        actor: message.unpinnedBy,
        conversation: conversationOf(message),
      },
      facts: { message },
    }),
  }),

  message_reaction_added: reactionEvent("message_reaction_added"),
  message_reaction_removed: reactionEvent("message_reaction_removed"),
};

function sentHead(message: Message): HeadFacts {
  return {
    ...firstMoment({ "data.message.sentAt": message.sentAt }),
    actor: message.sender,
    conversation: conversationOf(message),
  };
}

/**
 * The map names the users. If it is missing or empty, the text still does (docs/internals/platform/events.md#mentions).
 * A mark ends where the next begins: otherwise each unclosed mark would cause a scan to the end of the text.
 */
function mentionedUids(message: Message): readonly string[] {
  const mapped = Object.keys(message.data.mentions ?? {});
  if (mapped.length > 0) return mapped;
  const marks = message.data.text?.matchAll(/<@uid:([^<>]+)>/g) ?? [];
  return [...new Set(Array.from(marks, ([, uid = ""]) => uid))];
}

function reactionEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: open({
      reaction: open({
        id,
        messageId: id,
        reaction: filledText,
        uid: optional(id),
        reactedAt: optional(time),
        reactedBy: optional(userSchema),
      }),
    }),
    normalise: ({ reaction }) => ({
      head: {
        // A removed reaction contains only its creation time; the time of removal is unknown.
        ...(trigger === "message_reaction_added" &&
          firstMoment({ "data.reaction.reactedAt": reaction.reactedAt })),
        actor: reaction.uid ?? reaction.reactedBy?.uid,
      },
      facts: { reaction },
    }),
  });
}
