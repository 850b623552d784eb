import { requireUserByUid } from "../chat/user-lookup.ts";
import { badRequest } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject, objectOf } from "../json.ts";
import { deleteDocument, putDocument } from "../store/documents.ts";
import { findPreferences, preferencesKind } from "./own-choices.ts";
import {
  defaultPreferences,
  memberEvents,
  merge,
  readSettings,
  requestName,
  threeWay,
  weekdays,
} from "./settings.ts";

const route = appFamily("docs/platform/notifications.md#preferences-of-a-user");

/** Declares the preferences of one user, who is named by the query parameter `uid`. */
export const preferenceRoutes: readonly AppRoute[] = [
  route("notifications-push-list-preferences", "GET /notifications/v1/preferences", (request) =>
    reply(show(request, requireQueryUser(request))),
  ),
  route("notifications-push-update-preferences", "PATCH /notifications/v1/preferences", update, {
    input: {
      needs: { any: ["groupPreferences", "oneOnOnePreferences", "mutePreferences", "usePrivacyTemplate"] },
    },
  }),
  route("notifications-push-reset-preferences", "DELETE /notifications/v1/preferences", reset, {
    assumptions: ["`usePrivacyTemplate` is false by default."],
  }),
];

/** Finds the user of the required query parameter `uid`. @throws PlatformError ERR_BAD_REQUEST, ERR_UID_NOT_FOUND */
export function requireQueryUser(request: AppRequest): string {
  const uid = request.query.text("uid");
  if (uid === undefined || uid === "") throw badRequest({ uid: "The uid field is required." });
  return requireUserByUid(request, uid).uid;
}

function update(request: AppRequest): Reply {
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
  return reply(show(request, uid));
}

function reset(request: AppRequest): Reply {
  deleteDocument(request, preferencesKind, requireQueryUser(request));
  return reply(defaultPreferences());
}

function readPreferences(request: AppRequest, uid: string): JsonObject {
  return findPreferences(request, uid) ?? defaultPreferences();
}

// Answers name the settings differently than requests: `group.messagesSetting` is `groupPreferences.groupMessages`.
function show(request: AppRequest, uid: string): JsonObject {
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
): JsonObject {
  const chosen = objectOf(own);
  return {
    ...objectOf(settings),
    ...Object.fromEntries(names.map((name) => [`${name}Setting`, chosen[requestName(prefix, name)]])),
  };
}

function checkChoices(
  body: JsonObject | undefined,
  prefix: "group" | "oneOnOne",
  names: readonly string[],
): void {
  for (const [field, value] of Object.entries(body ?? {})) {
    const name = names.find((known) => requestName(prefix, known) === field);
    if (name === undefined) throw badRequest({ [field]: `The ${field} field does not exist.` });
    const highest = threeWay.some((known) => known === name) ? 3 : 2;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > highest) {
      throw badRequest({ [field]: `The ${field} must be between 1 and ${highest}.` });
    }
  }
}

function checkMute(mute: JsonObject | undefined): void {
  if (mute === undefined) return;
  if (mute.dnd !== undefined && mute.dnd !== 1 && mute.dnd !== 2) {
    throw badRequest({ dnd: "The dnd must be 1 or 2." });
  }
  for (const [day, hours] of Object.entries(optionalObject(mute, "schedule") ?? {})) {
    if (
      !weekdays.some((known) => known === day) ||
      !isJsonObject(hours) ||
      ![hours.from, hours.to].every(isTime)
    ) {
      throw badRequest({ schedule: "The schedule holds weekdays with from and to between 0 and 2359." });
    }
  }
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2_359;
}
