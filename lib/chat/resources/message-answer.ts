import * as z from "zod/mini";
import { flag, id, maybe, number, object, text } from "../answers.ts";

/** `data` of a message; what is there depends on its category and type. */
const messageData = () =>
  z.looseObject({
    text: text(),
    metadata: object(),
    customData: object(),
    url: text(),
    attachments: maybe(
      z.array(
        z.looseObject({ url: text(), name: text(), mimeType: text(), extension: text(), size: number() }),
      ),
    ),
    reactions: maybe(z.array(z.looseObject({ reaction: text(), count: number(), reactedByMe: flag() }))),
    /** `pending`, `approved` or `disapproved`. */
    moderation: maybe(z.looseObject({ status: text(), rule: object() })),
    /** `sender` and `receiver`; of action and call messages `by`, `on` and `for`. */
    entities: maybe(z.record(z.string(), z.looseObject({ entity: object(), entityType: text() }))),
    /** Of action messages, for instance `edited`, `deleted`, `added`. */
    action: text(),
  });

const messageFields = () => ({
  id: id(),
  muid: text(),
  conversationId: text(),
  sender: text(),
  receiverType: text(),
  receiver: text(),
  category: text(),
  type: text(),
  parentId: maybe(id()),
  data: maybe(messageData()),
  sentAt: number(),
  deliveredAt: number(),
  readAt: number(),
  editedAt: number(),
  editedBy: text(),
  deletedAt: number(),
  deletedBy: text(),
  updatedAt: number(),
  tags: maybe(z.array(z.string())),
  replyCount: number(),
  pinnedBy: text(),
  pinnedAt: number(),
  savedAt: number(),
});

/** Reads a message or an action message (platform facts: chat-api, schema Message). Times are unix seconds. */
export const messageAnswer = () =>
  z.looseObject({
    ...messageFields(),
    lastReply: maybe(z.looseObject(messageFields())),
    quotedMessage: maybe(z.looseObject(messageFields())),
  });

/** A message, or the action message that tells of an edit, a deletion or a change of members. */
export type Message = z.infer<ReturnType<typeof messageAnswer>>;
