import { requireMessage } from "../chat/message-access.ts";
import { badRequest, messageNotFound, PlatformError, userNotFound } from "../errors/platform-error.ts";
import { choice, optionalText } from "../http/fields.ts";
import { acknowledge, type Reply, replyLimited } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listDocuments, putDocument } from "../store/documents.ts";
import { findMessage } from "../store/messages.ts";
import { decideMessage } from "./blocked.ts";
import { findRecord, messageKinds, moveToReviewed } from "./moderation-store.ts";
import { findReason } from "./reasons.ts";
import { readLimit } from "./rules.ts";

const route = appFamily("docs/platform/moderation.md#flagged-and-reviewed-messages");

/** Declares the flag family. No webhook tells of flags. */
export const flaggedMessageRoutes: readonly AppRoute[] = [
  route("flag-a-message", "POST /messages/{id}/flagged", flag, {
    input: { body: { id: "string" } },
    onBehalfOf: "required",
    assumptions: [
      "The reason is named by `reasonId` or `id`; one of them is required.",
      "A second flag of the same user replaces the first.",
      "The answer is in `data`, as one of two pages shows it.",
    ],
  }),
  route("list-flagged-messages", "GET /moderation/flagged-messages", list, {
    assumptions: ["Newest first."],
  }),
  route("blockreview-flagged-message", "PATCH /moderation/flagged-messages/{id}", review, {
    assumptions: [
      "`status` is required.",
      "Disapproval leaves the message stored with the status disapproved; no event tells of it.",
      "The answer is in `data`, as one of two pages shows it.",
    ],
  }),
];

function flag(request: AppRequest): Reply {
  const { actor } = request;
  if (actor === undefined) throw userNotFound("");
  const message = requireMessage(request);
  const reasonId = optionalText(request.body, "reasonId") ?? optionalText(request.body, "id");
  if (reasonId === undefined) throw badRequest({ reasonId: "The reasonId field is required." });
  const reason = findReason(request, reasonId);
  if (reason === undefined) {
    throw new PlatformError("ERR_REASON_NOT_FOUND", `The reason with id ${reasonId} does not exist.`);
  }
  const remark = optionalText(request.body, "remark");
  const { uid, name, avatar, role } = actor;
  const entry: JsonObject = {
    uid,
    name,
    ...defined({ avatar }),
    role,
    reasonId,
    reasonName: reason.name,
    ...defined({ description: reason.description, remark }),
    flaggedAt: nowSeconds(request),
  };
  const others = flagsOf(findRecord(request, "flagged", message.id)).filter((known) => known.uid !== uid);
  putDocument(request, messageKinds.flagged, message.id, {
    messageId: message.id,
    flaggedBy: [...others, entry],
  });
  return acknowledge(`Message ${message.id} has been flagged successfully.`);
}

function list(request: AppRequest): Reply {
  const { appId } = request;
  const limit = readLimit(request, 50);
  const shown = listDocuments(request, messageKinds.flagged)
    .reverse()
    .flatMap((record) => {
      const message = findMessage(request, String(record.messageId));
      const flaggedBy = flagsOf(record);
      return message === undefined ? [] : [{ ...message, appId, flaggedBy, flaggedCount: flaggedBy.length }];
    })
    .slice(0, limit);
  return replyLimited(shown, limit);
}

function review(request: AppRequest): Reply {
  const id = request.param("id");
  const record = findRecord(request, "flagged", id);
  const message = findMessage(request, id);
  if (record === undefined || message === undefined) throw messageNotFound();
  const status = choice(request.body, "status", ["approved", "disapproved"]);
  if (status === undefined) throw badRequest({ status: "The status field is required." });
  request.db.transaction(() => {
    const flaggedBy = flagsOf(record);
    const details = { flaggedBy, flaggedCount: flaggedBy.length, createdAt: nowSeconds(request) };
    moveToReviewed(request, "flagged", id, decideMessage(request, message, status, details).record);
  });
  return acknowledge(`Message with id ${id} has been unflagged successfully.`);
}

function flagsOf(record: JsonObject | undefined): JsonObject[] {
  return Array.isArray(record?.flaggedBy) ? record.flaggedBy.filter(isJsonObject) : [];
}
