import { badRequest } from "../errors/platform-error.ts";
import { appFamily } from "../http/route.ts";
import { known } from "../http/shape.ts";
import { isJsonObject, type JsonObject, objectOf } from "../json.ts";
import type { AppServices, Services } from "../services/services.ts";
import { type AppData, deleteDocument, getDocument, putDocument } from "../store/database.ts";

export const notificationSettingRoutes = appFamily({
  "notifications-push-list-settings": readSettings,
  "notifications-push-update-settings"(request) {
    const change = known(request.body, "notifications-push-update-settings");
    checkSettings(change.preferences);
    putDocument(request, kind, kind, merge(getDocument(request, kind, kind) ?? {}, change));
    return { success: true };
  },
  "notifications-push-reset-settings"(request) {
    deleteDocument(request, kind, kind);
    return { success: true };
  },
});

export function readSettings(request: AppData): JsonObject {
  return merge(defaultSettings(), getDocument(request, kind, kind) ?? {});
}

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

export const choices: Record<"group" | "oneOnOne", Record<string, number>> = {
  group: {
    ...ofMessages,
    memberLeft: 1,
    memberAdded: 1,
    memberJoined: 1,
    memberKicked: 1,
    memberBanned: 1,
    memberUnbanned: 1,
    memberScopeChanged: 1,
  },
  oneOnOne: ofMessages,
};

const ofCalls = { initiated: 2, ongoing: 2, cancelled: 2, busy: 2, rejected: 2, unanswered: 2, ended: 2 };

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

function openSchedule() {
  return Object.fromEntries(weekdays.map((day) => [day, { from: 0, to: 2_359, dnd: false }]));
}

/** Most values are assumed. */
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
      // The example's 1 would suppress every call.
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

function settingsOf(values: Record<string, number>, mayOverride: boolean) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [`${name}Setting`, value],
      [`${name}Override`, mayOverride],
    ]),
  );
}

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

export function requestName(part: string, setting: string): string {
  return `${part}${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;
}

export type Subject = {
  conversation: { type: "oneOnOne" | "group"; id: string };
  /** The name's beginning, such as `replies`. */
  setting: string;
  part: "group" | "oneOnOne" | "call";
  isMention?: boolean;
  isOwn?: boolean;
};

/**
 * Returns the logs' name. A user's choice counts where the app allows it.
 * @see docs/internals/platform/notifications.md#app-settings
 */
export function suppressionReason(services: AppServices, uid: string, subject: Subject): string | undefined {
  const { preferences } = readSettings(services);
  const settings = objectOf(preferences);
  const own = findPreferences(services, uid) ?? {};
  const mute = objectOf(settings.mute);
  if (isMuted(services, uid, { subject, mute })) return "MUTE_PREFERENCE";
  const ownMute = objectOf(own.mutePreferences);
  const ownDnd = mute.dndPreferenceOverride === true ? ownMute.dnd : undefined;
  if ((ownDnd ?? mute.dndPreferenceSetting) === 2) return "DND_PREFERENCE";
  const ownSchedule = mute.schedulePreferenceOverride === true ? ownMute.schedule : undefined;
  const schedule = objectOf(ownSchedule ?? mute.schedulePreferenceSetting);
  if (isQuiet(schedule, services.clock.now(), timezoneOf(services, uid))) return "SCHEDULE_PREFERENCE";
  if (settings.bypassPreferencesForMentions === true && subject.isMention === true) return undefined;
  return isWanted(choiceOf(settings, own, subject), subject) ? undefined : reasonOf(subject);
}

function isMuted(
  services: AppServices,
  uid: string,
  { subject, mute }: { subject: Subject; mute: JsonObject },
) {
  const { type, id } = subject.conversation;
  const mayMute = type === "group" ? mute.mutedGroupsOverride : mute.mutedOneOnOnesOverride;
  return mayMute !== false && mutedBy(services, uid).some((muted) => muted.type === type && muted.id === id);
}

// Hours are those with notifications; `dnd` suppresses the whole day.
function isQuiet(schedule: JsonObject, nowMs: number, timeZone: string) {
  if (Object.values(schedule).every(isOpen)) return false;
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(nowMs);
  const part = (type: string) => parts.find((known) => known.type === type)?.value ?? "";
  const day = weekdays.find((name) => name === part("weekday").toLowerCase());
  const hours = day === undefined ? {} : objectOf(schedule[day]);
  if (hours.dnd === true) return true;
  const { from = 0, to = 2_359 } = hours;
  const time = Number(`${part("hour")}${part("minute")}`);
  const isAfterStart = time >= Number(from);
  const isBeforeEnd = time <= Number(to);
  return Number(from) <= Number(to) ? !(isAfterStart && isBeforeEnd) : !(isAfterStart || isBeforeEnd);
}

function isOpen(day: unknown) {
  const { from = 0, to = 2_359, dnd } = objectOf(day);
  return from === 0 && to === 2_359 && dnd !== true;
}

function choiceOf(settings: JsonObject, own: JsonObject, { part, setting }: Subject) {
  const ofApp = objectOf(settings[part]);
  const given = ofApp[`${setting}Setting`];
  if (part === "call" || ofApp[`${setting}Override`] !== true) return given;
  return objectOf(own[`${part}Preferences`])[requestName(part, setting)] ?? given;
}

// Messages: 1 none, 2 all, 3 mentions. Reactions: 1 none, 2 own, 3 all. Others: 1 no, 2 yes.
function isWanted(choice: unknown, subject: Subject) {
  if (choice === 1) return false;
  if (subject.setting === "reactions") return choice === 3 || subject.isOwn === true;
  return choice !== 3 || subject.isMention === true;
}

function reasonOf({ part, setting }: Subject) {
  return part === "call" ? "CALL_PREFERENCE" : (reasons[setting] ?? "GROUP_ACTIONS_PREFERENCE");
}

const reasons: Record<string, string> = {
  messages: "MESSAGES_PREFERENCE",
  replies: "REPLIES_PREFERENCE",
  quotedReplies: "QUOTED_REPLIES_PREFERENCE",
  reactions: "REACTIONS_PREFERENCE",
};

/** `until` is in milliseconds. `id` is a uid or guid. */
export type Muted = { id: string; type: "oneOnOne" | "group"; until: number };

export function mutedBy(services: AppData & Pick<Services, "clock">, uid: string): Muted[] {
  const stored = getDocument<{ conversations: Muted[] }>(services, mutedKind, uid);
  return (stored?.conversations ?? []).filter(({ until }) => until > services.clock.now());
}

export function timezoneOf(services: AppData, uid: string): string {
  return getDocument<{ timezone: string }>(services, timezoneKind, uid)?.timezone ?? "UTC";
}

/** @returns undefined without a user's change */
export function findPreferences(services: AppData, uid: string): JsonObject | undefined {
  return getDocument(services, preferencesKind, uid);
}

export const preferencesKind = "notification-preferences";

export const mutedKind = "muted-conversations";

export const timezoneKind = "timezone";
