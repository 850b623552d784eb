import { requireUserByUid } from "../chat/lookup.ts";
import { badRequest, ensureField } from "../errors/platform-error.ts";
import { requiredChoice, requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { known } from "../http/shape.ts";
import { type JsonObject, objectOf, objectsOf } from "../json.ts";
import { deleteDocument, putDocument } from "../store/database.ts";
import {
  choices,
  defaultPreferences,
  findPreferences,
  type Muted,
  merge,
  mutedBy,
  mutedKind,
  preferencesKind,
  readSettings,
  requestName,
  timezoneKind,
  timezoneOf,
  weekdays,
} from "./settings.ts";

export const preferenceRoutes = appFamily({
  "notifications-push-list-preferences": (request) => show(request, requireQueryUser(request)),
  "notifications-push-update-preferences"(request) {
    const uid = requireQueryUser(request);
    const change = known(request.body, "notifications-push-update-preferences");
    for (const part of ["group", "oneOnOne"] as const) {
      const names = Object.keys(choices[part]).map((name) => requestName(part, name));
      checkNames(change[`${part}Preferences`], names);
    }
    const { schedule } = objectOf(change.mutePreferences);
    checkNames(schedule, weekdays);
    for (const hours of Object.values(objectOf(schedule))) {
      const isTime = (time: unknown) => Number(time) >= 0 && Number(time) <= 2_359;
      const { from, to } = objectOf(hours);
      ensureField(isTime(from) && isTime(to), "schedule", "Days have from and to between 0 and 2359.");
    }
    putDocument(request, preferencesKind, uid, merge(readPreferences(request, uid), change));
    return show(request, uid);
  },
  "notifications-push-reset-preferences"(request) {
    deleteDocument(request, preferencesKind, requireQueryUser(request));
    return defaultPreferences();
  },
  "notifications-push-list-muted": (request) => ({
    mutedConversations: mutedBy(request, requireQueryUser(request)),
  }),
  "notifications-push-mute-conversations": (request) =>
    changeMutes(request, ({ until }) => {
      const isFuture = typeof until === "number" && until > request.clock.now();
      ensureField(isFuture, "until", "The until must be a future time in milliseconds.");
      return { until };
    }),
  "notifications-push-unmute-conversations": changeMutes,
  "notifications-get-timezone": (request) => ({ timezone: timezoneOf(request, requireQueryUser(request)) }),
  "notifications-update-timezone"(request) {
    const uid = requireQueryUser(request);
    return { timezone: setTimezone(request, uid, requiredText(request.body, "timezone")) };
  },
});

function requireQueryUser(request: AppRequest) {
  return requireUserByUid(request, request.query.text("uid") ?? "").uid;
}

function checkNames(part: unknown, names: readonly string[]) {
  for (const field of Object.keys(objectOf(part))) {
    ensureField(names.includes(field), field, `The ${field} field does not exist.`);
  }
}

function readPreferences(request: AppRequest, uid: string) {
  return findPreferences(request, uid) ?? defaultPreferences();
}

function show(request: AppRequest, uid: string) {
  const { preferences, sound, templates } = readSettings(request);
  const own = readPreferences(request, uid);
  const ofApp = objectOf(preferences);
  const mute = objectOf(own.mutePreferences);
  const withChoices = (part: keyof typeof choices) => {
    const chosen = objectOf(own[`${part}Preferences`]);
    const names = Object.keys(choices[part]);
    const shown = names.map((name) => [`${name}Setting`, chosen[requestName(part, name)]]);
    return { ...objectOf(ofApp[part]), ...Object.fromEntries(shown) };
  };
  return {
    preferences: {
      group: withChoices("group"),
      oneOnOne: withChoices("oneOnOne"),
      mute: {
        ...objectOf(ofApp.mute),
        dndPreferenceSetting: mute.dnd,
        schedulePreferenceSetting: mute.schedule,
      },
    },
    sound,
    templates: { ...objectOf(templates), ...(own.usePrivacyTemplate === true && { usePrivacyTemplate: 2 }) },
  };
}

/** @param name an IANA name */
export function setTimezone(request: AppRequest, uid: string, name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    throw badRequest({ timezone: `The timezone ${name} does not exist.` });
  }
  putDocument(request, timezoneKind, uid, { timezone: name });
  return name;
}

function changeMutes(request: AppRequest, toEntry?: (body: JsonObject) => Pick<Muted, "until">) {
  const uid = requireQueryUser(request);
  const named = objectsOf(request.body.conversations).map((body) => {
    const type = requiredChoice(body, "type", ["oneOnOne", "group"]);
    return { id: requiredText(body, "id").toLowerCase(), type, ...toEntry?.(body) };
  });
  const kept = mutedBy(request, uid).filter(
    (known) => !named.some(({ id, type }) => id === known.id && type === known.type),
  );
  putDocument(request, mutedKind, uid, { conversations: toEntry === undefined ? kept : [...kept, ...named] });
  return { success: true };
}
