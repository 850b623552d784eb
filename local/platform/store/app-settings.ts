import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { getDocument } from "./documents.ts";
import type { Message } from "./messages.ts";

/** Holds the documented defaults. @see docs/internals/platform/management.md#settings */
export const appSettingDefaults: JsonObject = {
  "core.conversations.updateOnGroupActions": true,
  "core.conversations.updateOnReplies": true,
  "core.conversations.updateOnMessageActions": false,
  "core.conversations.updateOnCallActivity": false,
  "core.threads.updateOnMessageActions": false,
  "core.notifications.push.enabled": false,
};

/** Reads the settings of an app, the defaults where it has set none. */
export function readAppSettings(data: AppData): JsonObject {
  return { ...appSettingDefaults, ...getDocument(data, appSettingsKind, appSettingsKind) };
}

/**
 * Returns whether a message becomes its conversation's last one and moves it up. Custom messages do unless it
 * is switched off: that setting has no documented default. @see
 * docs/internals/platform/conversations.md#life-of-a-conversation
 */
export function movesConversation(data: AppData, message: Message): boolean {
  const key = settingOf(message);
  return key === undefined || readAppSettings(data)[key] !== false;
}

/** Names the document of an app's settings, and its kind. */
export const appSettingsKind = "app-settings";

function settingOf({ category, type, parentId }: Message) {
  if (category === "action" && type === "message") return "core.conversations.updateOnMessageActions";
  if (category === "action") return "core.conversations.updateOnGroupActions";
  if (category === "call") return "core.conversations.updateOnCallActivity";
  if (parentId !== undefined) return "core.conversations.updateOnReplies";
  return category === "custom" ? "core.conversations.updateOnCustomMessage" : undefined;
}
