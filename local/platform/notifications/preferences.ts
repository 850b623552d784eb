import { requireUserByUid } from "../chat/lookup.ts";
import { badRequest, ensureField, missing } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, requiredChoice, requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject, objectOf } from "../json.ts";
import { deleteDocument, putDocument } from "../store/documents.ts";
import {
  defaultPreferences,
  memberEvents,
  merge,
  readSettings,
  requestName,
  threeWay,
  weekdays,
} from "./settings.ts";
import {
  findPreferences,
  mutedBy,
  mutedKind,
  preferencesKind,
  timezoneKind,
  timezoneOf,
} from "./suppression.ts";

const route = appFamily("docs/internals/platform/notifications.md#preferences-of-a-user");

export const preferenceRoutes = [
  route("notifications-push-list-preferences", "GET /notifications/v1/preferences", (request) =>
    show(request, requireQueryUser(request)),
  ),
  route("notifications-push-update-preferences", "PATCH /notifications/v1/preferences", update, [], {
    input: {
      needs: { any: ["groupPreferences", "oneOnOnePreferences", "mutePreferences", "usePrivacyTemplate"] },
    },
  }),
  route(
    "notifications-push-reset-preferences",
    "DELETE /notifications/v1/preferences",
    (request) => {
      deleteDocument(request, preferencesKind, requireQueryUser(request));
      return defaultPreferences();
    },
    ["`usePrivacyTemplate` is false by default."],
  ),
];

/**
 * The required query parameter `uid`.
 * @throws PlatformError ERR_BAD_REQUEST, ERR_UID_NOT_FOUND
 */
function requireQueryUser(request: AppRequest) {
  const uid = request.query.text("uid");
  if (uid === undefined || uid === "") throw missing("uid");
  return requireUserByUid(request, uid).uid;
}

function update(request: AppRequest) {
  const uid = requireQueryUser(request);
  const group = optionalObject(request.body, "groupPreferences");
  const oneOnOne = optionalObject(request.body, "oneOnOnePreferences");
  const mute = optionalObject(request.body, "mutePreferences");
  const usePrivacyTemplate = optionalFlag(request.body, "usePrivacyTemplate");
  checkChoices(group, "group", [...threeWay, ...memberEvents]);
  checkChoices(oneOnOne, "oneOnOne", threeWay);
  checkMute(mute);
  putDocument(
    request,
    preferencesKind,
    uid,
    merge(readPreferences(request, uid), {
      ...defined({
        groupPreferences: group,
        oneOnOnePreferences: oneOnOne,
        mutePreferences: mute,
        usePrivacyTemplate,
      }),
    }),
  );
  return show(request, uid);
}

function readPreferences(request: AppRequest, uid: string) {
  return findPreferences(request, uid) ?? defaultPreferences();
}

// Requests have other names: `group.messagesSetting` is `groupPreferences.groupMessages`.
function show(request: AppRequest, uid: string) {
  const app = readSettings(request);
  const own = readPreferences(request, uid);
  const preferences = objectOf(app.preferences);
  const mute = objectOf(own.mutePreferences);
  const templates = objectOf(app.templates);
  return {
    preferences: {
      group: withChoices(preferences.group, own.groupPreferences, "group", [...threeWay, ...memberEvents]),
      oneOnOne: withChoices(preferences.oneOnOne, own.oneOnOnePreferences, "oneOnOne", threeWay),
      mute: {
        ...objectOf(preferences.mute),
        dndPreferenceSetting: mute.dnd,
        schedulePreferenceSetting: mute.schedule,
      },
    },
    sound: app.sound,
    templates: own.usePrivacyTemplate === true ? { ...templates, usePrivacyTemplate: 2 } : templates,
  };
}

function withChoices(
  settings: unknown,
  own: unknown,
  prefix: "group" | "oneOnOne",
  names: readonly string[],
) {
  const chosen = objectOf(own);
  return {
    ...objectOf(settings),
    ...Object.fromEntries(names.map((name) => [`${name}Setting`, chosen[requestName(prefix, name)]])),
  };
}

function checkChoices(body: JsonObject | undefined, prefix: "group" | "oneOnOne", names: readonly string[]) {
  for (const [field, value] of Object.entries(body ?? {})) {
    const name = names.find((known) => requestName(prefix, known) === field);
    ensureField(name !== undefined, field, `The ${field} field does not exist.`);
    const highest = threeWay.some((known) => known === name) ? 3 : 2;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > highest) {
      throw badRequest({ [field]: `The ${field} must be between 1 and ${highest}.` });
    }
  }
}

function checkMute(mute: JsonObject | undefined) {
  if (mute === undefined) return;
  if (mute.dnd !== undefined && mute.dnd !== 1 && mute.dnd !== 2) {
    throw badRequest({ dnd: "The dnd must be 1 or 2." });
  }
  for (const [day, hours] of Object.entries(optionalObject(mute, "schedule") ?? {})) {
    ensureField(
      weekdays.some((known) => known === day) && isJsonObject(hours) && [hours.from, hours.to].every(isTime),
      "schedule",
      "The schedule holds weekdays with from and to between 0 and 2359.",
    );
  }
}

function isTime(value: unknown) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2_359;
}

const muteRoute = appFamily("docs/internals/platform/notifications.md#quiet-hours-and-mutes");

export const muteRoutes = [
  muteRoute(
    "notifications-push-list-muted",
    "GET /notifications/v1/preferences/mute",
    (request) => ({ mutedConversations: mutedBy(request, requireQueryUser(request)) }),
    ["An entry is {id, type, until}; those whose time has passed are left out."],
  ),
  muteRoute(
    "notifications-push-mute-conversations",
    "PUT /notifications/v1/preferences/mute",
    muteAll,
    ["`until` has to be in the future."],
    { input: { needs: { items: ["conversations"] } } },
  ),
  muteRoute(
    "notifications-push-unmute-conversations",
    "DELETE /notifications/v1/preferences/mute",
    (request) => changeMutes(request),
    [],
    { input: { needs: { items: ["conversations"] } } },
  ),
  muteRoute(
    "notifications-get-timezone",
    "GET /notifications/v1/preferences/timezone",
    (request) => ({ timezone: timezoneOf(request, requireQueryUser(request)) }),
    ["The timezone is UTC until it is set, also by a push token."],
  ),
  muteRoute("notifications-update-timezone", "PATCH /notifications/v1/preferences/timezone", (request) => {
    const uid = requireQueryUser(request);
    return { timezone: setTimezone(request, uid, requiredText(request.body, "timezone")) };
  }),
];

/** An IANA name. @throws PlatformError ERR_BAD_REQUEST for an unknown one */
export function setTimezone(request: AppRequest, uid: string, name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    throw badRequest({ timezone: `The timezone ${name} does not exist.` });
  }
  putDocument(request, timezoneKind, uid, { timezone: name });
  return name;
}

function muteAll(request: AppRequest) {
  return changeMutes(request, ({ until }) => {
    const isFuture = typeof until === "number" && until > request.clock.now();
    ensureField(isFuture, "until", "The until must be a future time in milliseconds.");
    return { until };
  });
}

// Takes the named conversations off the list, and adds them with what `toEntry` gives.
function changeMutes(request: AppRequest, toEntry?: (body: JsonObject) => JsonObject) {
  const uid = requireQueryUser(request);
  const named = readConversations(request).map(({ body, ...name }) => ({ ...name, ...toEntry?.(body) }));
  const kept = mutedBy(request, uid).filter(
    (known) => !named.some(({ id, type }) => id === known.id && type === known.type),
  );
  putDocument(request, mutedKind, uid, { conversations: toEntry === undefined ? kept : [...kept, ...named] });
  return { success: true };
}

function readConversations(request: AppRequest) {
  const { conversations } = request.body;
  ensureField(
    Array.isArray(conversations) && conversations.every(isJsonObject),
    "conversations",
    "The conversations must be an array of objects.",
  );
  return conversations.map((body) => {
    const type = requiredChoice(body, "type", ["oneOnOne", "group"]);
    return { id: requiredText(body, "id").toLowerCase(), type, body };
  });
}
