import { requireSendAccess } from "../access/send-access.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { openForSender } from "../store/conversations.ts";
import type { MessageDraft, Recipient } from "../store/message-draft.ts";
import { type Message, nextMessageId, putMessage } from "../store/messages.ts";
import { findActiveUser, type User } from "../store/users.ts";
import { type Verdict, withModeration } from "../store/verdict.ts";
import { groupConversationId, groupEntity, userConversationId, userEntity } from "../wire/show.ts";
import { askBeforeMessage } from "./before-message.ts";
import { recordStored } from "./message-effects.ts";

/**
 * Stores a new message with snapshots of sender and receiver, and says so to whoever listens. Asynchronous, because
 * services of the customer may have a say before a message is stored: never call it inside a transaction.
 * @throws PlatformError ERR_BLOCKED_BY_WEBHOOK when a before_message hook drops the message
 */
export async function storeMessage(services: Services, app: App, draft: MessageDraft): Promise<Message> {
  requireSendAccess(services, app, draft);
  const show = (draft: MessageDraft) => draftMessage(services, app, draft);
  const message = buildMessage(services, app, await askBeforeMessage(services, app, { draft, show }));
  const verdict = await services.moderate(services, app, message);
  return keepMessage(services, app, message, verdict);
}

/** Makes the message of a draft, with its id and snapshots, without storing it. */
export function buildMessage(services: Services, app: App, draft: MessageDraft): Message {
  return { id: nextMessageId(services.db, app.appId), ...draftMessage(services, app, draft) };
}

/** Makes all of a message but its id, as before_message shows it. */
export function draftMessage(services: Services, app: App, draft: MessageDraft): Omit<Message, "id"> {
  const sentAt = draft.sentAt ?? nowSeconds(services);
  const conversationId = conversationIdOf(draft.sender.uid, draft.recipient);
  const mentions = mentionedUsers(services, app, draft.data.text);
  return {
    ...(draft.muid === undefined ? {} : { muid: draft.muid }),
    conversationId,
    sender: draft.sender.uid,
    receiverType: draft.recipient.type,
    receiver: draft.recipient.type === "user" ? draft.recipient.user.uid : draft.recipient.group.guid,
    category: draft.category,
    type: draft.type,
    ...(draft.parentId === undefined ? {} : { parentId: draft.parentId }),
    data: {
      ...draft.data,
      ...(mentions === undefined ? {} : { mentions }),
      entities: {
        sender: userEntity(draft.sender),
        receiver: recipientEntity(draft.recipient, conversationId),
      },
    },
    sentAt,
    updatedAt: sentAt,
    ...(draft.tags === undefined ? {} : { tags: draft.tags }),
    ...(draft.quotedMessage === undefined ? {} : { quotedMessage: draft.quotedMessage }),
  };
}

/** Stores a built message and says so to whoever listens, with what the moderation decided. */
export function keepMessage(
  services: Services,
  app: App,
  built: Message,
  verdict: Verdict | undefined,
): Message {
  const message = verdict === undefined ? built : withModeration(built, verdict);
  services.db.transaction(() => {
    if (verdict?.isDropped !== true) {
      putMessage(services.db, app.appId, message);
      // A blocked message reaches nobody: it moves no conversation and counts nowhere.
      if (verdict?.outcome !== "disapproved") recordStored(services.db, app.appId, message);
      else openForSender(services.db, app.appId, message);
    }
    services.records.emit(() => ({ type: "message", appId: app.appId, action: "sent", message }));
    services.announce(app, "messageStored", { message, verdict });
  });
  return message;
}

/** Stores an action message (`data.action`, entities by, for, on). It fires no message_sent: not documented. */
export function storeActionMessage(services: Services, app: App, draft: ActionDraft): Message {
  const at = nowSeconds(services);
  const conversationId = draft.conversationId;
  const message: Message = {
    id: nextMessageId(services.db, app.appId),
    conversationId,
    sender: draft.by.uid,
    receiverType: draft.recipient.type,
    receiver: draft.recipient.type === "user" ? draft.recipient.user.uid : draft.recipient.group.guid,
    category: "action",
    type: draft.type,
    data: {
      action: draft.action,
      entities: {
        by: userEntity(draft.by),
        for: recipientEntity(draft.recipient),
        on: draft.on,
      },
    },
    sentAt: at,
    updatedAt: at,
  };
  putMessage(services.db, app.appId, message);
  recordStored(services.db, app.appId, message);
  return message;
}

/** What an action message is made of. @see docs/platform/messages.md#action-messages */
export type ActionDraft = {
  by: User;
  recipient: Recipient;
  conversationId: string;
  type: "message" | "groupMember";
  action: string;
  on: JsonObject;
};

/** Gives the conversation a sender and a recipient share. */
export function conversationIdOf(senderUid: string, recipient: Recipient): string {
  return recipient.type === "user"
    ? userConversationId(senderUid, recipient.user.uid)
    : groupConversationId(recipient.group.guid);
}

/** Finds the users a text mentions as `<@uid:…>`, as `data.mentions` holds them; unknown ones are left out. */
export function mentionedUsers(
  services: Pick<Services, "db">,
  app: App,
  text: unknown,
): Record<string, JsonObject> | undefined {
  if (typeof text !== "string" || !text.includes("<@uid:")) return undefined;
  const mentions: Record<string, JsonObject> = {};
  for (const [, uid = ""] of text.matchAll(/<@uid:([^<>\s]{1,100})>/g)) {
    const user = findActiveUser(services.db, app.appId, uid);
    if (user !== undefined) mentions[uid] = { uid: user.uid, name: user.name };
  }
  return Object.keys(mentions).length === 0 ? undefined : mentions;
}

function recipientEntity(recipient: Recipient, conversationId?: string): JsonObject {
  return recipient.type === "user"
    ? userEntity(recipient.user, conversationId)
    : groupEntity(recipient.group);
}
