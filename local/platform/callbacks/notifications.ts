import { isJsonObject, type JsonObject } from "../json.ts";
import type { Services } from "../services.ts";
import type { App } from "../store/apps.ts";
import { findConversation } from "../store/conversations.ts";
import type { Message } from "../store/messages.ts";
import { text } from "../store/row.ts";
import { collectForBatch } from "./notification-batches.ts";
import { callProvider, findProvider } from "./notification-providers.ts";

/**
 * Calls the custom push provider once per recipient of a stored message, and keeps the message for the e-mails and
 * SMS that are still to go out. @see platform facts: webhooks §10
 */
export function notifyOfMessage(services: Services, app: App, message: Message): void {
  const channels = (["push", "email", "sms"] as const).filter(
    (channel) => findProvider(services.db, app.appId, channel) !== undefined,
  );
  if (channels.length === 0) return;
  const recipients = recipientsOf(services, app, message);
  for (const channel of channels) {
    if (message.receiverType === "group" && recipients.length + 1 > groupLimits[channel]) continue;
    for (const uid of recipients) {
      if (channel === "push")
        push(services, app, uid, { ...chatDetails(message), ...unread(services, app, uid, message) });
      else collectForBatch(services, app, { channel, uid, message });
    }
  }
}

/** Calls the custom push provider about a call. `recipients` are uids. */
export function notifyOfCall(services: Services, app: App, call: CallNotice): void {
  if (findProvider(services.db, app.appId, "push") === undefined) return;
  const { message, recipients, ...fields } = call;
  for (const uid of recipients) {
    push(services, app, uid, {
      ...partiesOf(message),
      title: nameOf(message, "by") ?? message.sender,
      body: `${fields.callType.toUpperCase()} CALL`,
      type: "call",
      ...fields,
    });
  }
}

/** What a push about a call tells. @see platform facts: webhooks §10 */
export type CallNotice = {
  message: Message;
  recipients: readonly string[];
  callAction: "initiated" | "cancelled" | "unanswered" | "ongoing" | "rejected" | "ended" | "busy";
  sessionId: string;
  callType: "audio" | "video";
};

function push(services: Services, app: App, uid: string, notificationDetails: JsonObject): void {
  callProvider(services, app, "push", {
    to: { uid },
    notificationDetails: { ...notificationDetails, sentAt: String(services.clock.now()) },
  });
}

function chatDetails(message: Message): JsonObject {
  const sender = nameOf(message, "sender") ?? message.sender;
  const group =
    message.receiverType === "group" ? ` @ ${nameOf(message, "receiver") ?? message.receiver}` : "";
  return {
    ...partiesOf(message),
    title: `${sender}${group}`,
    body: typeof message.data.text === "string" ? message.data.text : `Has shared a ${message.type}`,
    type: "chat",
  };
}

function partiesOf(message: Message): JsonObject {
  const sender = entityOf(message, "sender") ?? entityOf(message, "by");
  const receiver = entityOf(message, "receiver") ?? entityOf(message, "for");
  return {
    sender: message.sender,
    ...optional("senderName", sender?.name),
    ...optional("senderAvatar", sender?.avatar),
    receiver: message.receiver,
    ...optional("receiverName", receiver?.name),
    ...optional("receiverAvatar", receiver?.avatar ?? receiver?.icon),
    receiverType: message.receiverType,
    tag: message.id,
    conversationId: message.conversationId,
  };
}

function unread(services: Services, app: App, uid: string, message: Message): JsonObject {
  const conversation = findConversation(services.db, app.appId, uid, message.conversationId);
  return conversation === undefined ? {} : { unreadMessageCount: conversation.unread };
}

function recipientsOf(services: Services, app: App, message: Message): string[] {
  if (message.receiverType === "user") return [message.receiver];
  return services.db
    .all(
      "SELECT uid FROM members WHERE app_id = ? AND guid = ? AND uid <> ?",
      app.appId,
      message.receiver,
      message.sender,
    )
    .map((row) => text(row, "uid"));
}

function nameOf(message: Message, role: string): string | undefined {
  const name = entityOf(message, role)?.name;
  return typeof name === "string" ? name : undefined;
}

function entityOf(message: Message, role: string): JsonObject | undefined {
  const { entities } = message.data;
  const holder = isJsonObject(entities) ? entities[role] : undefined;
  return isJsonObject(holder) && isJsonObject(holder.entity) ? holder.entity : undefined;
}

function optional(field: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [field]: value };
}

const groupLimits = { push: 1_000, email: 30, sms: 30 };
