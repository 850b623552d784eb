import { type JsonObject, objectOf } from "../json.ts";
import type { AppServices, Services } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";
import { readSettings, requestName, weekdays } from "./settings.ts";

export type Subject = {
  /** The recipient may have muted it. */
  conversation: { type: "oneOnOne" | "group"; id: string };
  /** The setting that decides, without its ending, e.g. `replies`. */
  setting: string;
  part: "group" | "oneOnOne" | "call";
  /** The recipient is mentioned. */
  isMention?: boolean;
  /** The message reacted to is the recipient's. */
  isOwn?: boolean;
};

/**
 * By the logs' names; undefined if not suppressed. A user's choice counts where the app allows overriding.
 * @see docs/internals/platform/notifications.md#app-settings
 */
export function suppressionReason(services: AppServices, uid: string, subject: Subject): string | undefined {
  const { preferences } = readSettings(services);
  const settings = objectOf(preferences);
  const own = findPreferences(services, uid) ?? {};
  const mute = objectOf(settings.mute);
  if (isMuted(services, uid, { subject, mute })) return "MUTE_PREFERENCE";
  const ownMute = objectOf(own.mutePreferences);
  const dnd = mute.dndPreferenceOverride === true ? (ownMute.dnd ?? mute.dndPreferenceSetting) : undefined;
  if ((dnd ?? mute.dndPreferenceSetting) === 2) return "DND_PREFERENCE";
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

// Messages: 1 none, 2 all, 3 with mentions. Reactions: 1 none, 2 to own messages, 3 all. All else: 1 no, 2
// yes.
function isWanted(choice: unknown, subject: Subject) {
  if (choice === 1) return false;
  if (subject.setting === "reactions") return choice === 3 || subject.isOwn === true;
  return choice !== 3 || subject.isMention === true;
}

function reasonOf({ part, setting }: Subject) {
  if (part === "call") return "CALL_PREFERENCE";
  if (setting === "messages") return "MESSAGES_PREFERENCE";
  if (setting === "replies") return "REPLIES_PREFERENCE";
  if (setting === "quotedReplies") return "QUOTED_REPLIES_PREFERENCE";
  return setting === "reactions" ? "REACTIONS_PREFERENCE" : "GROUP_ACTIONS_PREFERENCE";
}

// Stored by the operations, read by the notifications.

/** A conversation that a user has muted until a time in milliseconds. `id` is a uid or guid. */
export type Muted = { id: string; type: "oneOnOne" | "group"; until: number };

/** Lists what a user has muted at present. */
export function mutedBy(services: AppData & Pick<Services, "clock">, uid: string): Muted[] {
  const stored = getDocument<{ conversations: Muted[] }>(services, mutedKind, uid);
  return (stored?.conversations ?? []).filter(({ until }) => until > services.clock.now());
}

/** Returns a user's timezone, an IANA name. */
export function timezoneOf(services: AppData, uid: string): string {
  return getDocument<{ timezone: string }>(services, timezoneKind, uid)?.timezone ?? "UTC";
}

/** Finds a user's preferences by the names of the requests; undefined until the user has changed one. */
export function findPreferences(services: AppData, uid: string): JsonObject | undefined {
  return getDocument(services, preferencesKind, uid);
}

export const preferencesKind = "notification-preferences";

export const mutedKind = "muted-conversations";

export const timezoneKind = "timezone";
