import { requireMessage } from "../chat/message-access.ts";
import { badRequest, messageNotFound, userNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { limitMeta } from "../http/cursor.ts";
import { choice, optionalText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listDocuments, putDocument } from "../store/documents.ts";
import { findMessage } from "../store/messages.ts";
import { decideMessage } from "./blocked.ts";
import { findRecord, messageKinds, moveToReviewed } from "./moderation-store.ts";
import { findReason } from "./reasons.ts";
import { readLimit } from "./rules.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#flagged-and-reviewed-messages",
  onBehalfOf: "unsupported",
} as const;

/** Declares the flag family. No webhook tells of flags. */
export const flaggedMessageRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "flag-a-message",
    input: { body: { id: "string" } },
    method: "POST",
    path: "/messages/{id}/flagged",
    onBehalfOf: "required",
    assumptions: [
      "The reason is named by `reasonId` or `id`; one of them is required.",
      "A second flag of the same user replaces the first.",
      "The answer is in `data`, as one of two pages shows it.",
    ],
    handler: flag,
  },
  {
    ...base,
    operationId: "list-flagged-messages",
    method: "GET",
    path: "/moderation/flagged-messages",
    assumptions: ["Newest first."],
    handler: list,
  },
  {
    ...base,
    operationId: "blockreview-flagged-message",
    method: "PATCH",
    path: "/moderation/flagged-messages/{id}",
    assumptions: [
      "`status` is required.",
      "Disapproval leaves the message stored with the status disapproved; no event tells of it.",
      "The answer is in `data`, as one of two pages shows it.",
    ],
    handler: review,
  },
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
    ...(avatar === undefined ? {} : { avatar }),
    role,
    reasonId,
    reasonName: reason.name,
    ...(reason.description === undefined ? {} : { description: reason.description }),
    ...(remark === undefined ? {} : { remark }),
    flaggedAt: nowSeconds(request),
  };
  const others = flagsOf(findRecord(request.db, request.app.appId, "flagged", message.id)).filter(
    (known) => known.uid !== uid,
  );
  putDocument(request.db, request.app.appId, messageKinds.flagged, message.id, {
    messageId: message.id,
    flaggedBy: [...others, entry],
  });
  return acknowledge(`Message ${message.id} has been flagged successfully.`);
}

function list(request: AppRequest): Reply {
  const { appId } = request.app;
  const limit = readLimit(request, 50);
  const shown = listDocuments(request.db, appId, messageKinds.flagged)
    .reverse()
    .flatMap((record) => {
      const message = findMessage(request.db, appId, String(record.messageId));
      const flaggedBy = flagsOf(record);
      return message === undefined ? [] : [{ ...message, appId, flaggedBy, flaggedCount: flaggedBy.length }];
    })
    .slice(0, limit);
  return reply(shown, { meta: limitMeta(limit, shown.length) });
}

function review(request: AppRequest): Reply {
  const { appId } = request.app;
  const id = request.param("id");
  const record = findRecord(request.db, appId, "flagged", id);
  const message = findMessage(request.db, appId, id);
  if (record === undefined || message === undefined) throw messageNotFound();
  const status = choice(request.body, "status", ["approved", "disapproved"]);
  if (status === undefined) throw badRequest({ status: "The status field is required." });
  request.db.transaction(() => {
    const flaggedBy = flagsOf(record);
    const details = { flaggedBy, flaggedCount: flaggedBy.length, createdAt: nowSeconds(request) };
    moveToReviewed(request.db, appId, "flagged", id, decideMessage(request, message, status, details).record);
  });
  return acknowledge(`Message with id ${id} has been unflagged successfully.`);
}

function flagsOf(record: JsonObject | undefined): JsonObject[] {
  return Array.isArray(record?.flaggedBy) ? record.flaggedBy.filter(isJsonObject) : [];
}
