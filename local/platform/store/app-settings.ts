import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { getDocument } from "./documents.ts";
import type { Message } from "./messages.ts";

/** Documented. @see docs/internals/platform/management.md#settings */
export const appSettingDefaults: JsonObject = {
  "core.conversations.updateOnGroupActions": true,
  "core.conversations.updateOnReplies": true,
  "core.conversations.updateOnMessageActions": false,
  "core.conversations.updateOnCallActivity": false,
  "core.threads.updateOnMessageActions": false,
  "core.notifications.push.enabled": false,
};

export function readAppSettings(data: AppData): JsonObject {
  return { ...appSettingDefaults, ...getDocument(data, appSettingsKind, appSettingsKind) };
}

/**
 * Custom messages do unless switched off: that setting has no documented default. @see
 * docs/internals/platform/conversations.md#life-of-a-conversation
 */
export function movesConversation(data: AppData, message: Message): boolean {
  const key = settingOf(message);
  return key === undefined || readAppSettings(data)[key] !== false;
}

export const appSettingsKind = "app-settings";

function settingOf({ category, type, parentId }: Message) {
  if (category === "action" && type === "message") return "core.conversations.updateOnMessageActions";
  if (category === "action") return "core.conversations.updateOnGroupActions";
  if (category === "call") return "core.conversations.updateOnCallActivity";
  if (parentId !== undefined) return "core.conversations.updateOnReplies";
  return category === "custom" ? "core.conversations.updateOnCustomMessage" : undefined;
}
