import { ensure, ensureField, messageNotFound } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject, mapValues, objectOf } from "../json.ts";
import { canRead, isHidden, withReadableCopy } from "../store/message-access.ts";
import { reactionsOf, savedTimes } from "../store/message-marks.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { receiptTime } from "../store/receipts.ts";
import { findLastReply } from "../store/threads.ts";
import { findUser, type User } from "../store/users.ts";
import { blockFields } from "./lookup.ts";

export function presentMessages(request: AppRequest, messages: readonly Message[]): JsonObject[] {
  const withTags = request.query.flag("withTags") === true;
  const hideQuoted = request.query.flag("hideQuotedMessages") === true;
  const saved = savedBy(request);
  return messages.map((message) => {
    const { quotedMessage, tags, ...shown } = present(request, message, saved);
    return { ...shown, ...(withTags && defined({ tags })), ...(!hideQuoted && defined({ quotedMessage })) };
  });
}

export function presentMessage(request: AppRequest, message: Message): JsonObject {
  return present(request, message, savedBy(request));
}

function savedBy(request: AppRequest) {
  return request.actor && savedTimes(request, request.actor.uid);
}

function present(request: AppRequest, stored: Message, saved: Map<string, number> | undefined) {
  const readable = (one: Message) => withReadableCopy(request, request.actor?.uid, one);
  const message = readable(stored);
  const lastReply = message.replyCount ? findLastReply(request, message.id) : undefined;
  const savedAt = saved?.get(message.id);
  return {
    ...message,
    data: presentData(request, message),
    ...(lastReply !== undefined && { lastReply: readable(lastReply) }),
    ...(message.receiverType === "user" && message.category !== "action" && receiptTimes(request, message)),
    ...defined({ savedAt }),
  };
}

function receiptTimes(request: AppRequest, message: Message) {
  if (isHidden(request, message)) return {};
  const ask = (action: "delivered" | "read") =>
    receiptTime(request, {
      conversationId: message.conversationId,
      uid: message.receiver,
      action,
      messageId: Number(message.id),
    });
  const deliveredAt = ask("delivered");
  if (deliveredAt === undefined || deliveredAt < message.sentAt) return {};
  return { deliveredAt, ...defined({ readAt: ask("read") }) };
}

function presentData(request: AppRequest, message: Message) {
  const { reactions, mentions } = message.data;
  const presented: JsonObject = { ...message.data };
  if (request.actor !== undefined && Array.isArray(reactions)) {
    const mine = reactionsOf(request, message.id, request.actor.uid);
    presented.reactions = reactions.map((each: unknown) =>
      isJsonObject(each) && mine.has(String(each.reaction)) ? { ...each, reactedByMe: true } : each,
    );
  }
  if (isJsonObject(mentions)) presented.mentions = presentMentions(request, mentions);
  return presented;
}

function presentMentions(request: AppRequest, mentions: JsonObject) {
  const withBlocks = request.actor !== undefined && request.query.flag("mentionsWithBlockedInfo");
  const withTags =
    (request.query.flag("mentionsWithTagInfo") ?? request.query.flag("mentionswithTagInfo")) === true;
  if (!withBlocks && !withTags) return mentions;
  return mapValues(mentions, (mention, uid) => {
    const tags = withTags ? findUser(request, uid)?.tags : undefined;
    const blocks =
      withBlocks && request.actor !== undefined ? blockFields(request, request.actor.uid, uid) : {};
    return { ...objectOf(mention), ...blocks, ...defined({ tags }) };
  });
}

export function requireMessage(request: AppRequest, id = request.param("id")): Message {
  const message = findMessage(request, id);
  if (message === undefined) throw messageNotFound();
  ensure(
    request.actor === undefined || canRead(request, request.actor.uid, message),
    "ERR_MESSAGE_NO_ACCESS",
    `The user ${request.actor?.uid} is neither sender, receiver nor group member of the message ${message.id}.`,
  );
  return message;
}

export function requireLiveMessage(request: AppRequest, id?: string): Message {
  const message = requireMessage(request, id);
  if (message.deletedAt !== undefined) throw messageNotFound();
  ensure(
    message.category !== "action",
    "ERR_MESSAGE_ACTION_NOT_ALLOWED",
    `A message of category ${message.category} cannot be used so.`,
  );
  return message;
}

export function requireActor(request: AppRequest): User {
  ensureField(request.actor !== undefined, "onBehalfOf", "The onBehalfOf header is required.");
  return request.actor;
}
