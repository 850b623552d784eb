import { badRequest } from "../errors/failures.ts";
import { optionalObject } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";
import { defaultSettings } from "./default-settings.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/notifications.md#app-settings",
  path: "/notifications/v1/settings",
  onBehalfOf: "unsupported",
} as const;

/** Declares the notification settings of an app. */
export const notificationSettingRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "notifications-push-list-settings",
    method: "GET",
    assumptions: ["Most default values are assumed.", "`data` is an object, as the example shows it."],
    handler: (request) => reply(readSettings(request)),
  },
  {
    ...base,
    operationId: "notifications-push-update-settings",
    input: {
      body: { sound: { chat: "string", call: "string" } },
      needs: { any: ["preferences", "sound", "templates"] },
    },
    method: "PATCH",
    assumptions: ["Objects are merged deeply.", "Settings outside 1 to 3 are refused, unknown fields kept."],
    handler: update,
  },
  {
    ...base,
    operationId: "notifications-push-reset-settings",
    method: "DELETE",
    handler: (request) => {
      deleteDocument(request.db, request.app.appId, kind, kind);
      return reply({ success: true });
    },
  },
];

/** Reads an app's settings, the defaults where nothing was changed. */
export function readSettings(request: Pick<AppRequest, "db" | "app">): JsonObject {
  return merge(defaultSettings(), getDocument(request.db, request.app.appId, kind, kind) ?? {});
}

/** Merges a change into an object: objects field by field, all else replaced. */
export function merge(stored: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...stored };
  for (const [field, value] of Object.entries(change)) {
    const former = merged[field];
    merged[field] = isJsonObject(former) && isJsonObject(value) ? merge(former, value) : value;
  }
  return merged;
}

function update(request: AppRequest): Reply {
  const change: JsonObject = {};
  for (const part of ["preferences", "sound", "templates"]) {
    const value = optionalObject(request.body, part);
    if (value !== undefined) change[part] = value;
  }
  if (isJsonObject(change.preferences)) checkSettings(change.preferences);
  const stored = getDocument(request.db, request.app.appId, kind, kind) ?? {};
  putDocument(request.db, request.app.appId, kind, kind, merge(stored, change));
  return reply({ success: true });
}

function checkSettings(part: JsonObject): void {
  for (const [field, value] of Object.entries(part)) {
    if (isJsonObject(value)) checkSettings(value);
    else if (field.endsWith("Setting") && typeof value === "number" && ![1, 2, 3].includes(value)) {
      throw badRequest({ [field]: `The ${field} must be 1, 2 or 3.` });
    }
  }
}

const kind = "notification-settings";
