import * as z from "zod/mini";
import { flag, id, maybe, number, object, text, texts } from "../answers.ts";
import type { Schema } from "../operation.ts";

/** `data` of a message; what is there depends on its category and type. */
const data = () =>
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
    entities: object(),
    /** Of action messages, for instance `edited`, `deleted`, `added`. */
    action: text(),
  });

const base = () => ({
  id: id(),
  muid: text(),
  conversationId: text(),
  sender: text(),
  /** `user` or `group`. */
  receiverType: text(),
  receiver: text(),
  /** `message`, `custom`, `action`, `call` or `interactive`. */
  category: text(),
  type: text(),
  /** Of a reply: the message it answers. */
  parentId: maybe(id()),
  data: maybe(data()),
  sentAt: number(),
  deliveredAt: number(),
  readAt: number(),
  editedAt: number(),
  editedBy: text(),
  deletedAt: number(),
  deletedBy: text(),
  updatedAt: number(),
  tags: texts(),
  replyCount: number(),
  pinnedBy: text(),
  pinnedAt: number(),
  savedAt: number(),
});

const fields = () =>
  z.looseObject({
    ...base(),
    lastReply: maybe(z.looseObject(base())),
    quotedMessage: maybe(z.looseObject(base())),
  });

/** A message, or the action message that tells of an edit, a deletion or a change of members. Times are unix seconds. */
export interface Message extends z.infer<ReturnType<typeof fields>> {}

/** Reads a message (platform facts: chat-api, schema Message). */
export const messageAnswer = (): Schema<Message> => fields();

/** What deleting a message answers: the action message, or `{success, message}` after a permanent deletion. */
export interface DeletedMessage extends Partial<Omit<Message, "data">> {
  readonly success?: boolean | undefined;
  readonly message?: string | undefined;
  readonly data?: Message["data"];
}

/** Reads the answer of a deletion (its permanent form is inferred: platform facts: chat-api §4, messages). */
export const deletedAnswer = (): Schema<DeletedMessage> =>
  z.looseObject({ ...base(), id: maybe(id()), success: flag(), message: text() });
