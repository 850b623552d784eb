import type * as z from "zod/mini";
import {
  anyObject,
  filledText,
  id,
  listOf,
  mapByUid,
  number,
  open,
  optional,
  orEmpty,
  text,
  time,
} from "./scalars.ts";
import { userSchema } from "./users-and-groups.ts";

const attachmentSchema = open({
  /**
   * May be a signed address with an end (docs/platform/webhooks.md#addresses-of-media): store the file, not the address.
   */
  url: optional(text),
  name: optional(text),
  extension: optional(text),
  mimeType: optional(text),
  size: optional(number),
});

const userEntity = optional(open({ entity: optional(userSchema), entityType: optional(text) }));
const anyEntity = optional(open({ entity: optional(anyObject), entityType: optional(text) }));

const contentSchema = open({
  /** Holds `<@uid:UID>` for every mention. */
  text: optional(text),
  attachments: optional(listOf(attachmentSchema)),
  url: optional(text),
  customData: optional(anyObject),
  metadata: optional(anyObject),
  mentions: optional(mapByUid(userSchema)),
  /** The sending SDK and device. */
  resource: optional(text),
  moderation: optional(
    open({
      /** `pending`, `approved` or `disapproved`. */
      status: optional(text),
      rule: optional(open({ id: optional(id) })),
    }),
  ),
  /** Present in messages of the categories `action` and `call`. */
  action: optional(text),
  entities: optional(
    open({ sender: userEntity, receiver: anyEntity, by: userEntity, for: anyEntity, on: anyEntity }),
  ),
});

const optionalShape = {
  /** Made by the sending client; messages sent by REST have none. */
  muid: optional(text),
  /** `message`, `custom`, `action`, `call` or a new one. */
  category: optional(text),
  type: optional(text),
  sentAt: optional(time),
  updatedAt: optional(time),
  deliveredAt: optional(time),
  readAt: optional(time),
  editedAt: optional(time),
  editedBy: optional(id),
  deletedAt: optional(time),
  deletedBy: optional(id),
  pinnedAt: optional(time),
  pinnedBy: optional(id),
  unpinnedAt: optional(time),
  unpinnedBy: optional(id),
  /** The message that this one answers in a thread. */
  parentId: optional(id),
  tags: optional(listOf(text)),
  receipts: optional(anyObject),
};

/** Who wrote where: nobody can answer, order or count a message that does not say so. */
const unsentShape = {
  ...optionalShape,
  id: optional(id),
  conversationId: id,
  sender: id,
  /** `user` or `group`. */
  receiverType: filledText,
  /** The uid or the bare guid. */
  receiver: id,
  data: orEmpty(contentSchema),
};

/** @see docs/platform/events.md#messages-in-events */
export const messageSchema = open({ ...unsentShape, id });
export type Message = z.output<typeof messageSchema>;

/** Reads a message that is not stored yet: it has no id. */
export const unsentMessageSchema = open(unsentShape);
export type UnsentMessage = z.output<typeof unsentMessageSchema>;

/** Reads a message of which only the id is certain: a deleted, pinned or nested one. */
export const partialMessageSchema = open({
  ...optionalShape,
  id,
  conversationId: optional(id),
  sender: optional(id),
  receiverType: optional(text),
  receiver: optional(id),
  data: optional(contentSchema),
});
export type PartialMessage = z.output<typeof partialMessageSchema>;
