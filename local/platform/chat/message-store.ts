import { requireSendAccess } from "../access/operation-access.ts";
import { ensure } from "../errors/platform-error.ts";
import { defined, type JsonObject, objectOf } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { forgetUnread, openForSender, recordInConversations } from "../store/conversations.ts";
import type { AppData } from "../store/database.ts";
import { hideFromReceiver, isKept } from "../store/message-access.ts";
import {
  type Message,
  type MessageDraft,
  nextMessageId,
  putMessage,
  type Recipient,
  type Verdict,
  withModeration,
} from "../store/messages.ts";
import { recountReplies, subscribe, touchThread } from "../store/threads.ts";
import { findActiveUser, isBlockedBy, systemUser, type User } from "../store/users.ts";
import { activeEngine, listSubscribed, type Webhook } from "../store/webhooks.ts";
import { legacyEnvelope } from "../webhooks/legacy.ts";
import { credentialsOf } from "../webhooks/send.ts";
import {
  groupConversationId,
  recipientEntity,
  recipientId,
  userConversationId,
  userEntity,
} from "../wire/show.ts";
import { mentionedUids, requireSendable } from "./message-validate.ts";

/** Call it outside a transaction: it asks customers' services first. */
export async function storeMessage(services: AppServices, draft: MessageDraft): Promise<Message> {
  requireSendable(services, draft);
  requireSendAccess(services, draft);
  const message = buildMessage(services, await askBeforeMessage(services, draft));
  const verdict = await services.moderate(services, message);
  requireSendable(services, draft);
  return keepMessage(services, message, verdict);
}

export function buildMessage(services: AppServices, draft: MessageDraft): Message {
  return { id: nextMessageId(services), ...draftMessage(services, draft) };
}

function draftMessage(services: AppServices, draft: MessageDraft) {
  const sentAt = draft.sentAt ?? nowSeconds(services);
  const conversationId = conversationIdOf(draft.sender.uid, draft.recipient);
  const mentions = mentionedUsers(services, draft.data.text);
  return {
    ...defined({ muid: draft.muid }),
    conversationId,
    sender: draft.sender.uid,
    receiverType: draft.recipient.type,
    receiver: recipientId(draft.recipient),
    category: draft.category,
    type: draft.type,
    ...defined({ parentId: draft.parentId }),
    data: {
      ...draft.data,
      ...defined({ mentions }),
      entities: {
        sender: userEntity(draft.sender),
        receiver: recipientEntity(draft.recipient, conversationId),
      },
    },
    sentAt,
    updatedAt: sentAt,
    ...defined({ tags: draft.tags, quotedMessage: draft.quotedMessage }),
  };
}

export function keepMessage(services: AppServices, built: Message, verdict: Verdict | undefined): Message {
  const message = verdict === undefined ? built : withModeration(built, verdict);
  services.db.transaction(() => {
    if (verdict?.isDropped !== true) {
      const isHidden =
        message.receiverType === "user" && isBlockedBy(services, message.receiver, message.sender);
      if (isHidden) hideFromReceiver(services, message.id);
      recordStored(services, message);
    }
    services.records.emit(() => ({ type: "message", appId: services.appId, action: "sent", message }));
    const { isClient } = services;
    services.announce(services.app, "messageStored", { message, verdict, isClient });
  });
  return message;
}

/** Fires no message_sent (assumed). */
export function storeActionMessage(services: AppServices, draft: ActionDraft): Message {
  const message = buildActionMessage(services, draft);
  recordStored(services, message);
  return message;
}

export function buildActionMessage(services: AppServices, draft: ActionDraft): Message {
  const at = nowSeconds(services);
  const conversationId = draft.conversationId;
  return {
    id: nextMessageId(services),
    conversationId,
    sender: draft.by.uid,
    receiverType: draft.recipient.type,
    receiver: recipientId(draft.recipient),
    category: draft.category ?? "action",
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
}

/** @see docs/internals/platform/messages.md#action-messages */
type ActionDraft = {
  by: User;
  recipient: Recipient;
  conversationId: string;
  category?: "call";
  type: string;
  action: string;
  on: JsonObject;
};

export function conversationIdOf(senderUid: string, recipient: Recipient): string {
  return recipient.type === "user"
    ? userConversationId(senderUid, recipient.user.uid)
    : groupConversationId(recipient.group.guid);
}

export function mentionedUsers(services: AppData, text: unknown): Record<string, JsonObject> | undefined {
  const mentions = new Map<string, JsonObject>();
  for (const uid of mentionedUids(text)) {
    const user = findActiveUser(services, uid);
    if (user !== undefined) mentions.set(uid, { uid: user.uid, name: user.name });
  }
  return mentions.size === 0 ? undefined : Object.fromEntries(mentions);
}

/**
 * Called once per message, in its transaction. A message that only its sender sees counts nowhere.
 * @see docs/internals/platform/conversations.md#life-of-a-conversation
 * @see docs/internals/platform/messages.md#threads
 */
export function recordStored(data: AppData, message: Message): void {
  putMessage(data, message);
  if (isKept(data, message)) {
    openForSender(data, message);
    return;
  }
  recordInConversations(data, message);
  const parent = recountReplies(data, message.parentId);
  if (parent === undefined) return;
  touchThread(data, message);
  const { mentions } = message.data;
  const followers = [parent.sender, message.sender, ...Object.keys(objectOf(mentions))];
  subscribe(
    data,
    parent.id,
    followers.filter((uid) => uid !== systemUser.uid),
  );
}

/** Stops counting a deleted or disapproved message; counts it again once approved. */
export function recordChanged(data: AppData, before: Message, message: Message): void {
  const counts = (one: Message) => one.deletedAt === undefined && !isKept(data, one);
  const counted = counts(message);
  if (counted && !counts(before)) recordStored(data, message);
  else putMessage(data, message);
  if (counted || !counts(before)) return;
  forgetUnread(data, message);
  recountReplies(data, message.parentId);
}

/**
 * Shows each hook the additions of earlier ones (assumed).
 * @see docs/internals/platform/legacy-engine.md#before-a-message
 */
async function askBeforeMessage(services: AppServices, draft: MessageDraft) {
  if (activeEngine(services) !== 1) return draft;
  let current = draft;
  for (const webhook of listSubscribed(services, 1, "before_message")) {
    const answer = await askHook(services, webhook, draftMessage(services, current));
    ensure(
      answer.action !== "do_not_propagate",
      "ERR_BLOCKED_BY_WEBHOOK",
      `The message has been blocked by the webhook ${webhook.id}.`,
    );
    current = injectAnswer(current, webhook.id, answer);
  }
  return current;
}

async function askHook(services: AppServices, webhook: Webhook, data: JsonObject) {
  const { beforeMessageFailure, beforeMessageTimeoutMs } = services.switches;
  const result = await services.ask({
    appId: services.appId,
    kind: "before_message",
    target: webhook.id,
    url: webhook.url,
    credentials: credentialsOf(webhook),
    body: legacyEnvelope(
      services.switches,
      services.app,
      { trigger: "before_message", data, origin: "API" },
      { webhook: webhook.id },
    ),
    timeoutMs: beforeMessageTimeoutMs,
  });
  const onFailure = beforeMessageFailure === "drop" ? { action: "do_not_propagate" } : {};
  return result.json ?? onFailure;
}

// An empty answer does not change the message (seen live).
function injectAnswer(draft: MessageDraft, webhookId: string, answer: JsonObject) {
  if (Object.keys(answer).length === 0) return draft;
  const metadata = objectOf(draft.data.metadata);
  const injected = objectOf(metadata["@injected"]);
  const webhooks = { ...objectOf(injected.webhooks), [webhookId]: answer };
  return {
    ...draft,
    data: { ...draft.data, metadata: { ...metadata, "@injected": { ...injected, webhooks } } },
  };
}
