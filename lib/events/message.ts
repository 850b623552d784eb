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
  url: optional(text),
  name: optional(text),
  extension: optional(text),
  mimeType: optional(text),
  size: optional(number),
});

const userEntity = optional(open({ entity: optional(userSchema), entityType: optional(text) }));
const anyEntity = optional(open({ entity: optional(anyObject), entityType: optional(text) }));

const contentSchema = open({
  text: optional(text),
  attachments: optional(listOf(attachmentSchema)),
  url: optional(text),
  customData: optional(anyObject),
  metadata: optional(anyObject),
  mentions: optional(mapByUid(userSchema)),
  resource: optional(text),
  moderation: optional(
    open({
      status: optional(text),
      rule: optional(open({ id: optional(id) })),
    }),
  ),
  action: optional(text),
  entities: optional(
    open({ sender: userEntity, receiver: anyEntity, by: userEntity, for: anyEntity, on: anyEntity }),
  ),
});

const optionalShape = {
  muid: optional(text),
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
  parentId: optional(id),
  tags: optional(listOf(text)),
  receipts: optional(anyObject),
};

/** Sender and receiver are required: without them, a message cannot be answered, ordered or counted. */
const unsentShape = {
  ...optionalShape,
  id: optional(id),
  conversationId: id,
  sender: id,
  receiverType: filledText,
  receiver: id,
  data: orEmpty(contentSchema),
};

export const messageSchema = open({ ...unsentShape, id });

export const unsentMessageSchema = open(unsentShape);

export const partialMessageSchema = open({
  ...optionalShape,
  id,
  conversationId: optional(id),
  sender: optional(id),
  receiverType: optional(text),
  receiver: optional(id),
  data: optional(contentSchema),
});
