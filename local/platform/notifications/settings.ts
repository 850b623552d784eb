import { badRequest } from "../errors/platform-error.ts";
import { appFamily } from "../http/route.ts";
import { known } from "../http/shape.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";

const route = appFamily("docs/internals/platform/notifications.md#app-settings");

export const notificationSettingRoutes = [
  route("notifications-push-list-settings", "GET /notifications/v1/settings", readSettings, [
    "Most default values are assumed.",
    "`data` is an object, as the example shows it.",
  ]),
  route(
    "notifications-push-update-settings",
    "PATCH /notifications/v1/settings",
    (request) => {
      const change = known(request.body, "notifications-push-update-settings");
      checkSettings(change.preferences);
      putDocument(request, kind, kind, merge(getDocument(request, kind, kind) ?? {}, change));
      return { success: true };
    },
    ["Objects are merged deeply.", "Settings outside 1 to 3 are refused, unknown fields kept."],
    { needs: "any" },
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

function checkSettings(part: unknown) {
  if (!isJsonObject(part)) return;
  for (const [field, value] of Object.entries(part)) {
    checkSettings(value);
    if (field.endsWith("Setting") && typeof value === "number" && ![1, 2, 3].includes(value)) {
      throw badRequest({ [field]: `The ${field} must be 1, 2 or 3.` });
    }
  }
}

const kind = "notification-settings";

const ofMessages = { messages: 2, replies: 2, quotedReplies: 2, reactions: 2 };

/** What users may choose, as it is at first. */
export const choices: Record<"group" | "oneOnOne", Record<string, number>> = {
  group: {
    ...ofMessages,
    ...{ memberLeft: 1, memberAdded: 1, memberJoined: 1, memberKicked: 1, memberBanned: 1 },
    ...{ memberUnbanned: 1, memberScopeChanged: 1 },
  },
  oneOnOne: ofMessages,
};

const ofCalls = { initiated: 2, ongoing: 2, cancelled: 2, busy: 2, rejected: 2, unanswered: 2, ended: 2 };

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

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
  const changes = { messageEditedSetting: 1, messageDeletedSetting: 1 };
  return {
    preferences: {
      group: { ...settingsOf(choices.group, true), ...changes },
      oneOnOne: { ...settingsOf(choices.oneOnOne, true), ...changes },
      // The printed example's 1 would suppress every notification of a call.
      call: settingsOf(ofCalls, false),
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

function settingsOf(values: Record<string, number>, mayOverride: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [`${name}Setting`, value],
      [`${name}Override`, mayOverride],
    ]),
  );
}

/** By the requests' names. */
export function defaultPreferences(): JsonObject {
  const ofPart = (part: keyof typeof choices) =>
    Object.fromEntries(
      Object.entries(choices[part]).map(([name, value]) => [requestName(part, name), value]),
    );
  return {
    groupPreferences: ofPart("group"),
    oneOnOnePreferences: ofPart("oneOnOne"),
    mutePreferences: { dnd: 1, schedule: openSchedule() },
    usePrivacyTemplate: false,
  };
}

/** `groupMessages` for group and messages. */
export function requestName(part: string, setting: string): string {
  return `${part}${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;
}
