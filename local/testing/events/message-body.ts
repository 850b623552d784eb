import { defaultTime, placeOf, userOf } from "./body.ts";
import type { MessageFacts } from "./message-facts.ts";

/** A message in a webhook's body. */
export function messageBody(facts: MessageFacts = {}) {
  const { id = "1001", text = "Hello", sender = "ann", receiver = "bela", guid } = facts;
  const { category = "message", sentAt = defaultTime, parentId, tags } = facts;
  const { metadata, attachments, customData, content } = facts;
  const isOfAgent = category === "agentic";
  const { type = isOfAgent ? "assistant" : "text" } = facts;
  const place = placeOf(sender, receiver, guid);
  const receiverEntity =
    guid === undefined
      ? { entity: userOf(receiver), entityType: "user" }
      : { entity: { guid, name: guid, type: "public" }, entityType: "group" };
  return {
    id,
    sender,
    ...place,
    category,
    type,
    data: {
      text,
      ...(attachments && { attachments }),
      ...(customData && { customData }),
      ...(metadata && { metadata }),
      ...(isOfAgent && { runId: "run-1", threadId: place.conversationId }),
      entities: {
        sender: { entity: userOf(sender, isOfAgent ? { role: "@agentic" } : {}), entityType: "user" },
        receiver: receiverEntity,
      },
      ...content,
    },
    sentAt,
    updatedAt: sentAt,
    ...(parentId && { parentId }),
    ...(tags && { tags }),
  };
}
