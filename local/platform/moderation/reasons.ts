import { PlatformError } from "../errors/platform-error.ts";
import { limitMeta } from "../http/cursor.ts";
import { optionalText, requiredText } from "../http/fields.ts";
import { bare, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#reasons",
  onBehalfOf: "unsupported",
} as const;

/** Declares the moderation reason family. */
export const reasonRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-reason",
    method: "POST",
    path: "/moderation/reasons",
    assumptions: ["A duplicate id is refused with ERR_BAD_REQUEST.", "id and name may have 100 characters."],
    handler: createReason,
  },
  { ...base, operationId: "list-reasons", method: "GET", path: "/moderation/reasons", handler: listReasons },
  {
    ...base,
    operationId: "get-reason-details",
    method: "GET",
    path: "/moderation/reasons/{id}",
    handler: getReason,
  },
  {
    ...base,
    operationId: "update-reason-details",
    method: "PUT",
    path: "/moderation/reasons/{id}",
    assumptions: ["`description` can be changed too; only `name` is documented."],
    handler: updateReason,
  },
  {
    ...base,
    operationId: "delete-reason",
    method: "DELETE",
    path: "/moderation/reasons/{id}",
    assumptions: ["Built-in reasons can be deleted."],
    handler: deleteReason,
  },
];

/** Stores the reasons every app starts with. Ids spam, sexual and harassment were seen; two of the names are assumed. */
export function addBuiltInReasons({ db }: Services, { appId, createdAt }: App): void {
  for (const reason of builtInReasons) {
    putDocument(db, appId, kind, reason.id, { ...reason, createdAt, updatedAt: createdAt, default: true });
  }
}

/** Finds a reason by its id, or undefined. */
export function findReason(request: Pick<AppRequest, "db" | "app">, id: string): JsonObject | undefined {
  return getDocument(request.db, request.app.appId, kind, id);
}

function createReason(request: AppRequest): Reply {
  const id = requiredText(request.body, "id", maxLength);
  const name = requiredText(request.body, "name", maxLength);
  const description = optionalText(request.body, "description");
  if (findReason(request, id) !== undefined) {
    throw new PlatformError("ERR_BAD_REQUEST", `The reason with id ${id} already exists.`, {
      details: { id: ["The id has already been taken."] },
    });
  }
  const at = nowSeconds(request);
  const reason = {
    id,
    name,
    ...(description === undefined ? {} : { description }),
    createdAt: at,
    updatedAt: at,
  };
  putDocument(request.db, request.app.appId, kind, id, reason);
  return reply(reason);
}

function listReasons(request: AppRequest): Reply {
  const reasons = listDocuments(request.db, request.app.appId, kind).map((reason) => ({
    ...reason,
    // Numeric strings in the list, integers elsewhere (docs/platform/ids-and-limits.md#timestamps).
    createdAt: String(reason.createdAt),
    updatedAt: String(reason.updatedAt),
  }));
  return reply(reasons, { meta: limitMeta(Math.max(exampleLimit, reasons.length), reasons.length) });
}

function getReason(request: AppRequest): Reply {
  return reply(requireReason(request));
}

function updateReason(request: AppRequest): Reply {
  const reason = requireReason(request);
  const description = optionalText(request.body, "description");
  const changed = {
    ...reason,
    name: requiredText(request.body, "name", maxLength),
    ...(description === undefined ? {} : { description }),
    updatedAt: nowSeconds(request),
  };
  putDocument(request.db, request.app.appId, kind, request.param("id"), changed);
  return reply(changed);
}

function deleteReason(request: AppRequest): Reply {
  requireReason(request);
  const id = request.param("id");
  deleteDocument(request.db, request.app.appId, kind, id);
  return bare({ success: true, message: `The reason with id ${id} has been deleted successfully.` });
}

function requireReason(request: AppRequest): JsonObject {
  const id = request.param("id");
  const reason = findReason(request, id);
  if (reason === undefined) {
    throw new PlatformError("ERR_REASON_NOT_FOUND", `The reason with id ${id} does not exist.`);
  }
  return reason;
}

const kind = "moderation-reason";
const maxLength = 100;

// The example's `meta.current.limit`; no parameter changes it.
const exampleLimit = 10;

const builtInReasons = [
  { id: "spam", name: "Spam / Unwanted Content", description: "Unsolicited or repeated content." },
  { id: "sexual", name: "Sexual Content", description: "Sexual or explicit content." },
  { id: "harassment", name: "Harassment", description: "Content that threatens or insults a person." },
];
