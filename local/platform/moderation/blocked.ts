import { recordStored } from "../chat/message-effects.ts";
import { badRequest, messageNotFound } from "../errors/failures.ts";
import { limitMeta } from "../http/cursor.ts";
import { choice, optionalFlag } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { isJsonObject, isStringArray, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listDocuments } from "../store/documents.ts";
import { findMessage, isMessage, type Message, putMessage } from "../store/messages.ts";
import { findRecord, messageKinds, moveToReviewed } from "./moderation-store.ts";
import { withStatus } from "./moderator.ts";
import { readLimit } from "./rules.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#blocked-messages",
  onBehalfOf: "unsupported",
} as const;
const assumptions = [
  "Both operations share one URL; a body with `reviewed` is a review.",
  "An approval emits moderation_manual_approved alone, no message_sent.",
  "A rejected message moves to the reviewed ones and stays disapproved.",
];

/** Declares the blocked and reviewed message families. */
export const blockedMessageRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "list-moderation-blocked-messages",
    method: "GET",
    path: "/moderation/blocked-messages",
    assumptions: ["Newest first.", "`limit` works as in the sibling lists."],
    handler: listBlocked,
  },
  {
    ...base,
    operationId: "list-reviewed-messages",
    method: "GET",
    path: "/moderation/reviewed-messages",
    assumptions: ["Newest first.", "A message that was only flagged has no rule and no condition."],
    handler: listReviewed,
  },
  {
    ...base,
    operationId: "review-blocked-message",
    method: "PATCH",
    path: "/moderation/blocked-messages/{id}",
    assumptions,
    handler: (request) => review(request, "id"),
  },
  {
    ...base,
    operationId: "approve-moderation-blocked-messages",
    method: "PATCH",
    path: "/moderation/blocked-messages/{messageId}",
    assumptions,
    handler: (request) => review(request, "messageId"),
  },
];

/** Stores a decided message and gives the entry that the reviewed list has of it. */
export function decideMessage(
  request: AppRequest,
  message: Message,
  status: "approved" | "disapproved",
  record: JsonObject,
): { message: Message; record: JsonObject } {
  const at = nowSeconds(request);
  const decided = withStatus(message, status);
  if (findMessage(request.db, request.app.appId, message.id) !== undefined) {
    putMessage(request.db, request.app.appId, decided);
  }
  return { message: decided, record: { ...record, message: decided, updatedAt: at } };
}

function listBlocked(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const records = listDocuments(request.db, request.app.appId, messageKinds.blocked)
    .reverse()
    .slice(0, limit);
  return reply(records, { meta: limitMeta(limit, records.length) });
}

function listReviewed(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const { appId } = request.app;
  const records = listDocuments(request.db, appId, messageKinds.reviewed).reverse().slice(0, limit);
  const shown = records.map((record) => ({
    ...record,
    // A string here, an array in the list of blocked ones (docs/platform/moderation.md#blocked-messages).
    ...(isJsonObject(record.condition) ? { condition: withOneMessage(record.condition) } : {}),
    appId,
  }));
  return reply(shown, { meta: limitMeta(limit, shown.length) });
}

function review(request: AppRequest, parameter: string): Reply {
  const id = request.param(parameter);
  const record = findRecord(request.db, request.app.appId, "blocked", id);
  const message = record === undefined || !isMessage(record.message) ? undefined : record.message;
  if (record === undefined || message === undefined) throw messageNotFound();
  const isReview = optionalFlag(request.body, "reviewed") !== undefined;
  const status = choice(request.body, "status", isReview ? ["approved", "rejected"] : ["approved"]);
  if (status === undefined) throw badRequest({ status: "The status field is required." });
  const current = findMessage(request.db, request.app.appId, id) ?? message;
  const isApproved = status === "approved";
  const blockedAt = `${record.createdAt}.000000000${id.padStart(6, "0")}`;
  request.db.transaction(() => {
    const decided = decideMessage(request, current, isApproved ? "approved" : "disapproved", record);
    moveToReviewed(request.db, request.app.appId, "blocked", id, { ...decided.record, blockedAt });
    if (!isApproved) return;
    recordStored(request.db, request.app.appId, decided.message);
    emitApproved(request, decided.message, record);
  });
  return acknowledge(
    isReview
      ? `Message with ID ${id} has been reviewed successfully.`
      : `Message with ID ${id} has been approved.`,
  );
}

// The shape of the printed sample. @see docs/platform/events.md#moderation-events
function emitApproved(request: AppRequest, message: Message, record: JsonObject): void {
  const { ruleId, ruleName, revisionId, action, createdAt } = record;
  request.outbox.emit(request.app, "moderation_manual_approved", {
    message,
    moderation: [
      {
        ...(isJsonObject(record.condition) ? { condition: withOneMessage(record.condition) } : {}),
        rule: { id: ruleId, name: ruleName, revisionId, action, blockedAt: createdAt },
      },
    ],
    reviewed: true,
  });
}

function withOneMessage(condition: JsonObject): JsonObject {
  const { message } = condition;
  return { ...condition, message: isStringArray(message) ? message.join(" ") : message };
}
