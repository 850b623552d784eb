import * as z from "zod/mini";
import { anyObject, decoration, id, number, open, seconds, text } from "./scalars.ts";
import { userSchema } from "./users-and-groups.ts";

const attachmentSchema = open({
  /**
   * May be a signed address with an end (docs/platform/webhooks.md#addresses-of-media): store the file, not the address.
   */
  url: z.optional(text),
  name: decoration(text),
  extension: decoration(text),
  mimeType: decoration(text),
  size: decoration(number),
});

const userEntity = decoration(open({ entity: decoration(userSchema), entityType: decoration(text) }));
const anyEntity = decoration(open({ entity: decoration(anyObject), entityType: decoration(text) }));

const contentSchema = open({
  /** Holds `<@uid:UID>` for every mention. */
  text: z.optional(text),
  attachments: z.optional(z.array(attachmentSchema)),
  url: decoration(text),
  customData: decoration(anyObject),
  metadata: decoration(anyObject),
  mentions: decoration(z.record(z.string(), userSchema)),
  /** The sending SDK and device. */
  resource: decoration(text),
  moderation: z.optional(
    open({
      /** `pending`, `approved` or `disapproved`. */
      status: z.optional(text),
      rule: decoration(open({ id: decoration(id) })),
    }),
  ),
  /** Present in messages of the categories `action` and `call`. */
  action: z.optional(text),
  entities: decoration(
    open({ sender: userEntity, receiver: anyEntity, by: userEntity, for: anyEntity, on: anyEntity }),
  ),
});

const messageShape = {
  id,
  /** Made by the sending client; messages sent by REST have none. */
  muid: decoration(text),
  conversationId: id,
  sender: id,
  /** `user` or `group`. */
  receiverType: text,
  /** The uid or the bare guid. */
  receiver: id,
  /** `message`, `custom`, `action`, `call` or a new one. */
  category: text,
  type: text,
  data: contentSchema,
  sentAt: z.optional(seconds),
  updatedAt: z.optional(seconds),
  deliveredAt: z.optional(seconds),
  readAt: z.optional(seconds),
  editedAt: z.optional(seconds),
  editedBy: z.optional(id),
  deletedAt: z.optional(seconds),
  deletedBy: z.optional(id),
  pinnedAt: z.optional(seconds),
  pinnedBy: z.optional(id),
  unpinnedAt: z.optional(seconds),
  unpinnedBy: z.optional(id),
  /** The message that this one answers in a thread. */
  parentId: z.optional(id),
  tags: decoration(z.array(text)),
  receipts: decoration(anyObject),
};

/** @see docs/platform/events.md#messages-in-events */
export const messageSchema = open(messageShape);
export type Message = z.output<typeof messageSchema>;

/** Reads a message that is not stored yet: it has no id. */
export const unsentMessageSchema = open({ ...messageShape, id: z.optional(id) });
export type UnsentMessage = z.output<typeof unsentMessageSchema>;

/** Reads a message of which only the id is certain: a deleted, pinned or nested one. */
export const partialMessageSchema = open({
  ...messageShape,
  conversationId: z.optional(id),
  sender: z.optional(id),
  receiverType: z.optional(text),
  receiver: z.optional(id),
  category: z.optional(text),
  type: z.optional(text),
  data: z.optional(contentSchema),
});
export type PartialMessage = z.output<typeof partialMessageSchema>;
