import { badRequest, toItemFailure } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { ManagementRequest, ManagementRoute } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/management.md#settings",
  path: "/apps/{appId}/settings",
} as const;

/** Declares the settings of an app, a flat map of dotted keys. They are stored; the emulation does not act on them. */
export const appSettingRoutes: readonly ManagementRoute[] = [
  {
    ...base,
    operationId: "map-settings",
    method: "POST",
    assumptions: ["A key that is not known fails alone, with ERR_BAD_REQUEST in its entry."],
    handler: map,
  },
  {
    ...base,
    operationId: "list-settings",
    method: "GET",
    handler: (request) => reply(readSettings(request)),
  },
  {
    ...base,
    operationId: "unmap-settings",
    method: "DELETE",
    assumptions: ["All settings go back to their defaults: which ones go is not documented."],
    handler: unmap,
  },
];

function map(request: ManagementRequest): Reply {
  const asked = optionalObject(request.body, "settings");
  if (asked === undefined) throw badRequest({ settings: "The settings field is required." });
  const settings = readSettings(request);
  const results = Object.entries(asked).map(([key, value]) => {
    if (!isSetting(key, value)) {
      return [key, toItemFailure(new PlatformError("ERR_BAD_REQUEST", `The setting ${key} is not valid.`))];
    }
    settings[key] = value;
    return [key, { success: true, message: "Added setting(s) successfully." }];
  });
  putDocument(request.db, request.app().appId, kind, kind, settings);
  return reply(Object.fromEntries(results));
}

function unmap(request: ManagementRequest): Reply {
  deleteDocument(request.db, request.app().appId, kind, kind);
  // The printed message is that of adding.
  return acknowledge("Added setting(s) successfully.");
}

function readSettings(request: ManagementRequest): JsonObject {
  return { ...defaults, ...getDocument(request.db, request.app().appId, kind, kind) };
}

function isSetting(key: string, value: unknown): boolean {
  if (key === listSetting) return isStringArray(value);
  return (Object.hasOwn(defaults, key) || flagsWithoutDefault.includes(key)) && typeof value === "boolean";
}

const kind = "app-settings";
const listSetting = "core.notifications.push.advanced.included";

/** Holds the documented defaults. @see docs/platform/management.md#settings */
const defaults: JsonObject = {
  "core.conversations.updateOnGroupActions": true,
  "core.conversations.updateOnReplies": true,
  "core.conversations.updateOnMessageActions": false,
  "core.conversations.updateOnCallActivity": false,
  "core.threads.updateOnMessageActions": false,
  "core.notifications.push.enabled": false,
};

// Keys that are known from an example alone.
const flagsWithoutDefault = [
  "core.conversations.updateOnCustomMessage",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
];
