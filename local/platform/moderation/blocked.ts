import { recordChanged } from "../chat/message-store.ts";
import { requireActor, requireMessage } from "../chat/message-view.ts";
import { ensure, messageNotFound, missing } from "../errors/platform-error.ts";
import { optionalFlag, optionalText, requiredChoice } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, readLimit, replyLimited } from "../http/route.ts";
import { defined, isJsonObject, isStringArray, type JsonObject, objectsOf, pick } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { getDocument, listDocuments, putDocument } from "../store/database.ts";
import { messageKinds } from "../store/message-access.ts";
import { findMessage, isMessage, type Message } from "../store/messages.ts";
import { moveToReviewed } from "./moderation-store.ts";
import { withStatus } from "./moderator.ts";
import { findReason } from "./reasons.ts";

export const reviewRoutes = appFamily({
  "list-moderation-blocked-messages": (request) => listNewest(request, "blocked", (record) => record),
  "list-reviewed-messages"(request) {
    return listNewest(request, "reviewed", (record) => ({
      ...record,
      // The blocked list has an array (docs/internals/platform/moderation.md#blocked-messages).
      ...(isJsonObject(record.condition) && { condition: withOneMessage(record.condition) }),
      appId: request.appId,
    }));
  },
  "review-blocked-message": { checksBody: true, handler: (request) => review(request, "id") },
  "approve-moderation-blocked-messages": (request) => review(request, "messageId"),
  "flag-a-message"(request) {
    const actor = requireActor(request);
    const message = requireMessage(request);
    const reasonId = optionalText(request.body, "reasonId") ?? optionalText(request.body, "id");
    if (reasonId === undefined) throw missing("reasonId");
    const reason = findReason(request, reasonId);
    ensure(reason !== undefined, "ERR_REASON_NOT_FOUND", `The reason with id ${reasonId} does not exist.`);
    const remark = optionalText(request.body, "remark");
    const entry: JsonObject = {
      ...pick(actor, "uid", "name", "avatar", "role"),
      reasonId,
      reasonName: reason.name,
      ...defined({ description: reason.description, remark }),
      flaggedAt: nowSeconds(request),
    };
    const others = objectsOf(getDocument(request, messageKinds.flagged, message.id)?.flaggedBy).filter(
      (known) => known.uid !== actor.uid,
    );
    putDocument(request, messageKinds.flagged, message.id, {
      messageId: message.id,
      flaggedBy: [...others, entry],
    });
    return acknowledge(`Message ${message.id} has been flagged successfully.`);
  },
  "list-flagged-messages"(request) {
    return listNewest(request, "flagged", (record) => {
      const message = findMessage(request, String(record.messageId));
      const flaggedBy = objectsOf(record.flaggedBy);
      return message && { ...message, appId: request.appId, flaggedBy, flaggedCount: flaggedBy.length };
    });
  },
  "blockreview-flagged-message"(request) {
    const id = request.param("id");
    const record = getDocument(request, messageKinds.flagged, id);
    const message = findMessage(request, id);
    if (record === undefined || message === undefined) throw messageNotFound();
    const status = requiredChoice(request.body, "status", ["approved", "disapproved"]);
    const flaggedBy = objectsOf(record.flaggedBy);
    const details = { flaggedBy, flaggedCount: flaggedBy.length, createdAt: nowSeconds(request) };
    moveToReviewed(request, id, decideMessage(request, message, status, details).record);
    return acknowledge(`Message with id ${id} has been unflagged successfully.`);
  },
});

function decideMessage(
  request: AppRequest,
  message: Message,
  status: "approved" | "disapproved",
  record: JsonObject,
) {
  const at = nowSeconds(request);
  const decided = withStatus(message, status);
  if (findMessage(request, message.id) !== undefined) {
    recordChanged(request, message, decided);
  }
  return { message: decided, record: { ...record, message: decided, updatedAt: at } };
}

function listNewest(
  request: AppRequest,
  kind: keyof typeof messageKinds,
  show: (record: JsonObject) => JsonObject | undefined,
) {
  const limit = readLimit(request.query, 50);
  const shown = listDocuments(request, messageKinds[kind]).reverse().map(show);
  return replyLimited(shown.filter((record) => record !== undefined).slice(0, limit), limit);
}

function review(request: AppRequest, parameter: string) {
  const id = request.param(parameter);
  const record = getDocument(request, messageKinds.blocked, id);
  const message = record === undefined || !isMessage(record.message) ? undefined : record.message;
  if (record === undefined || message === undefined) throw messageNotFound();
  const isReview = optionalFlag(request.body, "reviewed") !== undefined;
  const status = requiredChoice(request.body, "status", isReview ? ["approved", "rejected"] : ["approved"]);
  const current = findMessage(request, id) ?? message;
  const isApproved = status === "approved";
  const blockedAt = `${record.createdAt}.000000000${id.padStart(6, "0")}`;
  const decided = decideMessage(request, current, isApproved ? "approved" : "disapproved", record);
  moveToReviewed(request, id, { ...decided.record, blockedAt });
  if (isApproved) emitApproved(request, decided.message, record);
  return acknowledge(
    isReview
      ? `Message with ID ${id} has been reviewed successfully.`
      : `Message with ID ${id} has been approved.`,
  );
}

// @see docs/internals/platform/events.md#moderation-events
function emitApproved(request: AppRequest, message: Message, record: JsonObject) {
  request.emit("moderation_manual_approved", {
    message,
    moderation: [
      {
        ...(isJsonObject(record.condition) && { condition: withOneMessage(record.condition) }),
        rule: {
          id: record.ruleId,
          name: record.ruleName,
          revisionId: record.revisionId,
          action: record.action,
          blockedAt: record.createdAt,
        },
      },
    ],
    reviewed: true,
  });
}

function withOneMessage(condition: JsonObject) {
  return {
    ...condition,
    message: isStringArray(condition.message) ? condition.message.join(" ") : condition.message,
  };
}
