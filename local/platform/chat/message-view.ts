import type { AppCall } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Message } from "../store/messages.ts";
import { reactionsOf } from "../store/reactions.ts";
import { receiptTime } from "../store/receipts.ts";
import { savedTimes } from "../store/saved-messages.ts";
import { findLastReply } from "../store/threads.ts";
import { findUser } from "../store/users.ts";
import { showMessage } from "../wire/show.ts";
import { blockFields } from "./user-relations.ts";

/**
 * Gives messages as the acting user sees them: with thread, receipts of one-to-one messages, own reactions, own saves,
 * and what the query asks for (`withTags`, `hideQuotedMessages`, `mentionsWithBlockedInfo`, `mentionsWithTagInfo`).
 */
export function presentMessages(call: AppCall, messages: readonly Message[]): JsonObject[] {
  const withTags = call.query.flag("withTags") === true;
  const hideQuoted = call.query.flag("hideQuotedMessages") === true;
  const saved = call.actor === undefined ? undefined : savedTimes(call.db, call.app.appId, call.actor.uid);
  return messages.map((message) => {
    const { quotedMessage, ...rest } = showMessage(message, withTags);
    return {
      ...rest,
      ...(hideQuoted || quotedMessage === undefined ? {} : { quotedMessage }),
      data: presentData(call, message),
      ...derivedFields(call, message, saved),
    };
  });
}

/** Gives one message as the acting user sees it, tags included. */
export function presentMessage(call: AppCall, message: Message): JsonObject {
  const saved = call.actor === undefined ? undefined : savedTimes(call.db, call.app.appId, call.actor.uid);
  return { ...message, data: presentData(call, message), ...derivedFields(call, message, saved) };
}

function derivedFields(call: AppCall, message: Message, saved: Map<string, number> | undefined): JsonObject {
  const lastReply =
    message.replyCount === undefined || message.replyCount === 0
      ? undefined
      : findLastReply(call.db, call.app.appId, message.id);
  const savedAt = saved?.get(message.id);
  return {
    ...(lastReply === undefined ? {} : { lastReply }),
    ...(message.receiverType === "user" && message.category !== "action" ? receiptTimes(call, message) : {}),
    ...(savedAt === undefined ? {} : { savedAt }),
  };
}

// Only one-to-one messages carry the times; when the receiver of a group's message is meant is not documented.
function receiptTimes(call: AppCall, message: Message): JsonObject {
  const ask = (action: "delivered" | "read") =>
    receiptTime(call.db, call.app.appId, {
      conversationId: message.conversationId,
      uid: message.receiver,
      action,
      messageId: Number(message.id),
    });
  const deliveredAt = ask("delivered");
  if (deliveredAt === undefined || deliveredAt < message.sentAt) return {};
  const readAt = ask("read");
  return { deliveredAt, ...(readAt === undefined ? {} : { readAt }) };
}

function presentData(call: AppCall, message: Message): JsonObject {
  const { reactions, mentions } = message.data;
  const presented: JsonObject = { ...message.data };
  if (call.actor !== undefined && Array.isArray(reactions)) {
    const mine = reactionsOf(call.db, call.app.appId, message.id, call.actor.uid);
    presented.reactions = reactions.map((each: unknown) =>
      isJsonObject(each) && mine.has(String(each.reaction)) ? { ...each, reactedByMe: true } : each,
    );
  }
  if (isJsonObject(mentions)) presented.mentions = presentMentions(call, mentions);
  return presented;
}

function presentMentions(call: AppCall, mentions: JsonObject): JsonObject {
  const withBlocks = call.actor !== undefined && call.query.flag("mentionsWithBlockedInfo") === true;
  const withTags =
    (call.query.flag("mentionsWithTagInfo") ?? call.query.flag("mentionswithTagInfo")) === true;
  if (!withBlocks && !withTags) return mentions;
  return Object.fromEntries(
    Object.entries(mentions).map(([uid, mention]) => {
      const tags = withTags ? findUser(call.db, call.app.appId, uid)?.tags : undefined;
      const blocks =
        withBlocks && call.actor !== undefined ? blockFields(call.db, call.app, call.actor.uid, uid) : {};
      const shown = isJsonObject(mention) ? mention : {};
      return [uid, { ...shown, ...blocks, ...(tags === undefined ? {} : { tags }) }];
    }),
  );
}
