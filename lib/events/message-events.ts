import { changedMessageEvent } from "./changed-message.ts";
import { conversationOf } from "./conversation.ts";
import { defineEvents, type HeadFacts } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema, partialMessageSchema } from "./message.ts";
import { filledText, id, open, optional, time } from "./scalars.ts";
import type { Message } from "./types/message.ts";
import { userSchema } from "./users-and-groups.ts";

const wholeMessage = open({ message: messageSchema });

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
 * the next begins: otherwise each unclosed mark would cause a scan to the end.
 */
function mentionedUids(message: Message): readonly string[] {
  const mapped = Object.keys(message.data.mentions ?? {});
  if (mapped.length > 0) return mapped;
  const marks = message.data.text?.matchAll(/<@uid:([^<>]+)>/g) ?? [];
  return [...new Set(Array.from(marks, ([, uid = ""]) => uid))];
}
