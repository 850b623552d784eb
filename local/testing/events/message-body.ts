import { defaultTime, placeOf, userOf } from "./body.ts";
import type { MessageFacts } from "./message-facts.ts";

/** A message in a webhook's body. */
export function messageBody(facts: MessageFacts = {}) {
  const { id = "1001", text = "Hello", sender = "ann", receiver = "bela", guid } = facts;
  const { category = "message", type = "text", sentAt = defaultTime, parentId, tags } = facts;
  const { metadata, attachments, customData } = facts;
  const receiverEntity =
    guid === undefined
      ? { entity: userOf(receiver), entityType: "user" }
      : { entity: { guid, name: guid, type: "public" }, entityType: "group" };
  return {
    id,
    sender,
    ...placeOf(sender, receiver, guid),
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
