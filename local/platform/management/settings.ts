import { badRequest, PlatformError, toItemFailure } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import { isStringArray } from "../json.ts";
import {
  appSettingDefaults,
  clearAppSettings,
  putAppSettings,
  readAppSettings,
} from "../store/app-settings.ts";

const route = managementFamily("docs/platform/management.md#settings");

const listSetting = "core.notifications.push.advanced.included";

// Keys that are known from an example alone.
const flagsWithoutDefault = [
  "core.conversations.updateOnCustomMessage",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
];

const withoutEffect = [
  "core.threads.updateOnMessageActions",
  "core.notifications.push.enabled",
  "core.notifications.push.accessible",
  "core.notifications.push.advanced.enabled",
  listSetting,
];

/** Declares the settings of an app, a flat map of dotted keys. The notes say which of them the emulation acts on. */
export const appSettingRoutes: readonly ManagementRoute[] = [
  route("map-settings", "POST /apps/{appId}/settings", map, {
    assumptions: [
      "A key that is not known fails alone, with ERR_BAD_REQUEST in its entry.",
      "`core.conversations.updateOnGroupActions`, `…OnReplies`, `…OnMessageActions`, `…OnCallActivity` and `…OnCustomMessage` (on unless set) choose which messages become a conversation's last one and move it up; unread counts do not follow them, and a message that begins a conversation is always its last (assumed).",
      `Stored without effect, because no page says what they do: ${withoutEffect.map((key) => `\`${key}\``).join(", ")}.`,
    ],
  }),
  route("list-settings", "GET /apps/{appId}/settings", (request) => reply(readAppSettings(request))),
  route("unmap-settings", "DELETE /apps/{appId}/settings", unmap, {
    assumptions: ["All settings go back to their defaults: which ones go is not documented."],
  }),
];

function map(request: ManagementRequest): Reply {
  const asked = optionalObject(request.body, "settings");
  if (asked === undefined) throw badRequest({ settings: "The settings field is required." });
  const settings = readAppSettings(request);
  const results = Object.entries(asked).map(([key, value]) => {
    if (!isSetting(key, value)) {
      return [key, toItemFailure(new PlatformError("ERR_BAD_REQUEST", `The setting ${key} is not valid.`))];
    }
    settings[key] = value;
    return [key, { success: true, message: "Added setting(s) successfully." }];
  });
  putAppSettings(request, settings);
  return reply(Object.fromEntries(results));
}

function unmap(request: ManagementRequest): Reply {
  clearAppSettings(request);
  // The printed message is that of adding.
  return acknowledge("Added setting(s) successfully.");
}

function isSetting(key: string, value: unknown): boolean {
  if (key === listSetting) return isStringArray(value);
  return (
    (Object.hasOwn(appSettingDefaults, key) || flagsWithoutDefault.includes(key)) &&
    typeof value === "boolean"
  );
}
