import { badRequest } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";

const route = appFamily("docs/internals/platform/notifications.md#app-settings");

export const notificationSettingRoutes = [
  route(
    "notifications-push-list-settings",
    "GET /notifications/v1/settings",
    (request) => readSettings(request),
    ["Most default values are assumed.", "`data` is an object, as the example shows it."],
  ),
  route(
    "notifications-push-update-settings",
    "PATCH /notifications/v1/settings",
    update,
    ["Objects are merged deeply.", "Settings outside 1 to 3 are refused, unknown fields kept."],
    {
      input: {
        body: { sound: { chat: "string", call: "string" } },
        needs: { any: ["preferences", "sound", "templates"] },
      },
    },
  ),
  route("notifications-push-reset-settings", "DELETE /notifications/v1/settings", (request) => {
    deleteDocument(request, kind, kind);
    return { success: true };
  }),
];

/** Reads an app's settings, the defaults where nothing was changed. */
export function readSettings(request: AppData): JsonObject {
  return merge(defaultSettings(), getDocument(request, kind, kind) ?? {});
}

/** Objects field by field, all else replaced. */
export function merge(stored: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...stored };
  for (const [field, value] of Object.entries(change)) {
    const former = merged[field];
    merged[field] = isJsonObject(former) && isJsonObject(value) ? merge(former, value) : value;
  }
  return merged;
}

function update(request: AppRequest) {
  const change: JsonObject = {};
  for (const part of ["preferences", "sound", "templates"]) {
    const value = optionalObject(request.body, part);
    if (value !== undefined) change[part] = value;
  }
  if (isJsonObject(change.preferences)) checkSettings(change.preferences);
  putDocument(request, kind, kind, merge(getDocument(request, kind, kind) ?? {}, change));
  return { success: true };
}

function checkSettings(part: JsonObject) {
  for (const [field, value] of Object.entries(part)) {
    if (isJsonObject(value)) checkSettings(value);
    else if (field.endsWith("Setting") && typeof value === "number" && ![1, 2, 3].includes(value)) {
      throw badRequest({ [field]: `The ${field} must be 1, 2 or 3.` });
    }
  }
}

const kind = "notification-settings";

/** 1, 2 or 3; the others take 1 (no) or 2 (yes). */
export const threeWay = ["messages", "replies", "quotedReplies", "reactions"] as const;

export const memberEvents = [
  "memberLeft",
  "memberAdded",
  "memberJoined",
  "memberKicked",
  "memberBanned",
  "memberUnbanned",
  "memberScopeChanged",
] as const;

export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** Every day from 0 to 23:59. */
function openSchedule() {
  return Object.fromEntries(weekdays.map((day) => [day, { from: 0, to: 2_359, dnd: false }]));
}

/**
 * Field names are documented; most values are assumed, those of the printed example are kept. @see
 * docs/internals/platform/notifications.md#app-settings
 */
function defaultSettings() {
  const digest = {
    notifyForUnreadOnly: true,
    intervalInSeconds: 7_200,
    maxPerDay: 20,
    maxPerDayPerConversation: 2,
  };
  return {
    preferences: {
      group: {
        ...settings(threeWay, 2),
        ...settings(memberEvents, 1),
        messageEditedSetting: 1,
        messageDeletedSetting: 1,
        ...overrides([...threeWay, ...memberEvents]),
      },
      oneOnOne: {
        ...settings(threeWay, 2),
        messageEditedSetting: 1,
        messageDeletedSetting: 1,
        ...overrides(threeWay),
      },
      // The printed example's 1 would suppress every notification of a call.
      call: { ...settings(callEvents, 2), ...overrides(callEvents, false) },
      mute: {
        dndPreferenceSetting: 1,
        dndPreferenceOverride: true,
        schedulePreferenceSetting: openSchedule(),
        schedulePreferenceOverride: true,
        mutedGroupsOverride: true,
        mutedOneOnOnesOverride: true,
      },
      email: digest,
      sms: digest,
      push: {
        includeMessageObjectSetting: false,
        includeSenderMetadataSetting: true,
        includeReceiverMetadataSetting: true,
        trimTextFieldSetting: false,
        includeMessageMetadataSetting: true,
        customJson: {},
      },
      bypassPreferencesForMentions: false,
    },
    sound: { chat: "default", call: "default" },
    templates: {
      usePrivacyTemplate: 3,
      textMessageTemplateDefault: {
        titleOneOnOne: "{{message.data.entities.sender.entity.name}}",
        titleGroup:
          "{{message.data.entities.sender.entity.name}} @ {{message.data.entities.receiver.entity.name}}",
        body: "{{message.data.text}}",
      },
    },
  };
}

/** By the requests' names. */
export function defaultPreferences(): JsonObject {
  return {
    groupPreferences: {
      ...byName(threeWay, 2, (name) => requestName("group", name)),
      ...byName(memberEvents, 1, (name) => requestName("group", name)),
    },
    oneOnOnePreferences: byName(threeWay, 2, (name) => requestName("oneOnOne", name)),
    mutePreferences: { dnd: 1, schedule: openSchedule() },
    usePrivacyTemplate: false,
  };
}

/** `groupMessages` for group and messages. */
export function requestName(prefix: "group" | "oneOnOne", setting: string): string {
  return `${prefix}${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;
}

const callEvents = ["initiated", "ongoing", "cancelled", "busy", "rejected", "unanswered", "ended"];

function settings(names: readonly string[], value: number) {
  return byName(names, value, (name) => `${name}Setting`);
}

function overrides(names: readonly string[], value = true) {
  return byName(names, value, (name) => `${name}Override`);
}

function byName(names: readonly string[], value: unknown, fieldOf: (name: string) => string) {
  return Object.fromEntries(names.map((name) => [fieldOf(name), value]));
}
