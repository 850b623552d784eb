import { recordStored } from "../chat/message-store.ts";
import { badRequest, messageNotFound } from "../errors/platform-error.ts";
import { choice, optionalFlag } from "../http/fields.ts";
import { acknowledge, type Reply, replyLimited } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { isJsonObject, isStringArray, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listDocuments } from "../store/documents.ts";
import { findMessage, isMessage, type Message, putMessage } from "../store/messages.ts";
import { findRecord, messageKinds, moveToReviewed } from "./moderation-store.ts";
import { withStatus } from "./moderator.ts";
import { readLimit } from "./rules.ts";

const route = appFamily("docs/platform/moderation.md#blocked-messages");
const assumptions = [
  "Both operations share one URL; a body with `reviewed` is a review.",
  "An approval emits moderation_manual_approved alone, no message_sent.",
  "A rejected message moves to the reviewed ones and stays disapproved.",
];

/** Declares the blocked and reviewed message families. */
export const blockedMessageRoutes: readonly AppRoute[] = [
  route("list-moderation-blocked-messages", "GET /moderation/blocked-messages", listBlocked, {
    assumptions: ["Newest first.", "`limit` works as in the sibling lists."],
  }),
  route("list-reviewed-messages", "GET /moderation/reviewed-messages", listReviewed, {
    assumptions: ["Newest first.", "A message that was only flagged has no rule and no condition."],
  }),
  route(
    "review-blocked-message",
    "PATCH /moderation/blocked-messages/{id}",
    (request) => review(request, "id"),
    { assumptions },
  ),
  route(
    "approve-moderation-blocked-messages",
    "PATCH /moderation/blocked-messages/{messageId}",
    (request) => review(request, "messageId"),
    { assumptions },
  ),
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
  if (findMessage(request, message.id) !== undefined) {
    putMessage(request, decided);
  }
  return { message: decided, record: { ...record, message: decided, updatedAt: at } };
}

function listBlocked(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const records = listDocuments(request, messageKinds.blocked).reverse().slice(0, limit);
  return replyLimited(records, limit);
}

function listReviewed(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const { appId } = request;
  const records = listDocuments(request, messageKinds.reviewed).reverse().slice(0, limit);
  const shown = records.map((record) => ({
    ...record,
    // A string here, an array in the list of blocked ones (docs/platform/moderation.md#blocked-messages).
    ...(isJsonObject(record.condition) ? { condition: withOneMessage(record.condition) } : {}),
    appId,
  }));
  return replyLimited(shown, limit);
}

function review(request: AppRequest, parameter: string): Reply {
  const id = request.param(parameter);
  const record = findRecord(request, "blocked", id);
  const message = record === undefined || !isMessage(record.message) ? undefined : record.message;
  if (record === undefined || message === undefined) throw messageNotFound();
  const isReview = optionalFlag(request.body, "reviewed") !== undefined;
  const status = choice(request.body, "status", isReview ? ["approved", "rejected"] : ["approved"]);
  if (status === undefined) throw badRequest({ status: "The status field is required." });
  const current = findMessage(request, id) ?? message;
  const isApproved = status === "approved";
  const blockedAt = `${record.createdAt}.000000000${id.padStart(6, "0")}`;
  request.db.transaction(() => {
    const decided = decideMessage(request, current, isApproved ? "approved" : "disapproved", record);
    moveToReviewed(request, "blocked", id, { ...decided.record, blockedAt });
    if (!isApproved) return;
    recordStored(request, decided.message);
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
  request.emit("moderation_manual_approved", {
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
