import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { deleteDocument, getDocument, putDocument } from "./documents.ts";
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
  return { ...appSettingDefaults, ...getDocument(data, kind, kind) };
}

/** Stores the settings of an app. */
export function putAppSettings(data: AppData, settings: JsonObject): void {
  putDocument(data, kind, kind, settings);
}

/** Brings all settings of an app back to their defaults. */
export function clearAppSettings(data: AppData): void {
  deleteDocument(data, kind, kind);
}

/**
 * Returns whether a message becomes its conversation's last one and moves it up. Custom messages do unless it is switched
 * off: that setting has no documented default. @see docs/internals/platform/conversations.md#life-of-a-conversation
 */
export function movesConversation(data: AppData, message: Message): boolean {
  const key = settingOf(message);
  return key === undefined || readAppSettings(data)[key] !== false;
}

const kind = "app-settings";

function settingOf({ category, type, parentId }: Message) {
  if (category === "action" && type === "message") return "core.conversations.updateOnMessageActions";
  if (category === "action") return "core.conversations.updateOnGroupActions";
  if (category === "call") return "core.conversations.updateOnCallActivity";
  if (parentId !== undefined) return "core.conversations.updateOnReplies";
  return category === "custom" ? "core.conversations.updateOnCustomMessage" : undefined;
}
