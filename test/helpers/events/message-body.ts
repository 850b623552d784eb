import { conversationOfTwo, defaultTime, userOf } from "./body.ts";

/** The facts of a message that a builder lets its caller choose. */
export interface MessageFacts {
  id?: string;
  text?: string;
  sender?: string;
  /** The uid of the other person; ignored for a message in a group. */
  receiver?: string;
  /** Makes it a message in this group. */
  guid?: string;
  category?: string;
  type?: string;
  /** In seconds. */
  sentAt?: number;
  /** The message that this one answers in a thread. */
  parentId?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
  attachments?: Record<string, unknown>[];
  customData?: Record<string, unknown>;
}

/** A message as it stands in the body of a call. */
export function messageBody(facts: MessageFacts = {}) {
  const {
    id = "1001",
    text = "Hello",
    sender = "ann",
    receiver = "bela",
    guid,
    sentAt = defaultTime,
  } = facts;
  const { category = "message", type = "text", parentId, tags, metadata, attachments, customData } = facts;
  const receiverEntity =
    guid === undefined
      ? { entity: userOf(receiver), entityType: "user" }
      : { entity: { guid, name: guid, type: "public" }, entityType: "group" };
  return {
    id,
    conversationId: guid === undefined ? conversationOfTwo(sender, receiver) : `group_${guid}`,
    sender,
    receiverType: guid === undefined ? "user" : "group",
    receiver: guid ?? receiver,
    category,
    type,
    data: {
      text,
      ...(attachments && { attachments }),
      ...(customData && { customData }),
      ...(metadata && { metadata }),
      entities: { sender: { entity: userOf(sender), entityType: "user" }, receiver: receiverEntity },
    },
    sentAt,
    updatedAt: sentAt,
    ...(parentId && { parentId }),
    ...(tags && { tags }),
  };
}
