import * as z from "zod/mini";
import { acknowledgement, maybeObject, maybeObjects, maybeText, one, undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  int,
  json,
  looseObject,
  opt,
  optional,
  platformId,
  strictObject,
  unixMilliseconds,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** 1 none, 2 all, 3 mentions only; for reactions 1 none, 2 own messages, 3 all. */
const three = () => opt(int(1, 3));
/** 1 no, 2 yes. */
const two = () => opt(int(1, 2));

const groupPreferences = () =>
  strictObject({
    groupMessages: three,
    groupReplies: three,
    groupQuotedReplies: three,
    groupReactions: three,
    groupMemberLeft: two,
    groupMemberAdded: two,
    groupMemberJoined: two,
    groupMemberKicked: two,
    groupMemberBanned: two,
    groupMemberUnbanned: two,
    groupMemberScopeChanged: two,
  });

const oneOnOnePreferences = () =>
  strictObject({
    oneOnOneMessages: three,
    oneOnOneReplies: three,
    oneOnOneQuotedReplies: three,
    oneOnOneReactions: three,
  });

/** `from` and `to` are hour and minute, 0–2359. */
const day = () => opt(strictObject(optional({ from: int(0, 2_359), to: int(0, 2_359), dnd: yesNo })));

const mutePreferences = () =>
  strictObject({
    /** 1 off, 2 on. */
    dnd: two,
    schedule: opt(
      strictObject({
        monday: day,
        tuesday: day,
        wednesday: day,
        thursday: day,
        friday: day,
        saturday: day,
        sunday: day,
      }),
    ),
  });

/** The query parameter `uid` names the user, not `onBehalfOf`. */
const user = { uid: platformId };
const userQuery = () => strictObject(user);
const conversation = () => ({ id: platformId, type: z.enum(["oneOnOne", "group"]) });
const timezoneAnswer = () => looseObject({ timezone: maybeText });

/**
 * A user's notification preferences. See docs/internals/platform/notifications.md#preferences-of-a-user.
 * @example
 * await chat.notificationPreferences.setTimezone({ uid: "alice", timezone: "Europe/Berlin" });
 * await chat.notificationPreferences.mute({
 *   uid: "alice",
 *   conversations: [{ id: "bob", type: "oneOnOne", until: Date.now() + 60 * 60 * 1_000 }],
 * });
 */
export const notificationPreferences = {
  /** Reads a user's preferences. Errors: ERR_UID_NOT_FOUND. */
  get: {
    id: "notifications-push-list-preferences",
    request: "GET /notifications/v1/preferences",
    input: userQuery,
    answer: undocumented,
    documented: "several",
  },
  /** Changes the given preferences. Errors: ERR_UID_NOT_FOUND. Harmless if repeated. */
  update: {
    id: "notifications-push-update-preferences",
    request: "PATCH /notifications/v1/preferences",
    input: () =>
      strictObject({
        ...user,
        ...optional({
          groupPreferences,
          oneOnOnePreferences,
          mutePreferences,
          usePrivacyTemplate: yesNo,
        }),
      }),
    inQuery: ["uid"],
    answer: undocumented,
    documented: "several",
  },
  /** Resets a user's preferences to the app's. Its answer spells the fields as `update` takes them. */
  reset: {
    id: "notifications-push-reset-preferences",
    request: "DELETE /notifications/v1/preferences",
    input: userQuery,
    inQuery: ["uid"],
    answer: undocumented,
    documented: "several",
  },
  /** Lists a user's muted conversations. */
  listMuted: {
    id: "notifications-push-list-muted",
    request: "GET /notifications/v1/preferences/mute",
    input: userQuery,
    answer: () => looseObject({ mutedConversations: maybeObjects }),
  },
  /** Mutes conversations until a time in unix milliseconds. */
  mute: {
    id: "notifications-push-mute-conversations",
    request: "PUT /notifications/v1/preferences/mute",
    input: () =>
      strictObject({
        ...user,
        conversations: z.array(strictObject({ ...conversation(), until: unixMilliseconds })),
      }),
    inQuery: ["uid"],
    answer: acknowledgement,
  },
  /** Unmutes conversations. */
  unmute: {
    id: "notifications-push-unmute-conversations",
    request: "DELETE /notifications/v1/preferences/mute",
    input: () => strictObject({ ...user, conversations: z.array(strictObject(conversation())) }),
    inQuery: ["uid"],
    answer: acknowledgement,
  },
  /** Reads a user's time zone. */
  getTimezone: {
    id: "notifications-get-timezone",
    request: "GET /notifications/v1/preferences/timezone",
    input: userQuery,
    answer: timezoneAnswer,
  },
  /** Sets a user's time zone by its IANA name. Harmless if repeated. */
  setTimezone: {
    id: "notifications-update-timezone",
    request: "PATCH /notifications/v1/preferences/timezone",
    input: () => strictObject({ ...user, timezone: words(100) }),
    inQuery: ["uid"],
    answer: timezoneAnswer,
  },
} as const satisfies Family;

/**
 * The app's notification settings. Values: docs/internals/platform/notifications.md#values-of-preferences.
 * @example
 * await chat.notificationSettings.update({ sound: { chat: "ding" } });
 * const { preferences } = await chat.notificationSettings.get();
 */
export const notificationSettings = {
  /** Reads preferences, sounds and templates. */
  get: {
    id: "notifications-push-list-settings",
    request: "GET /notifications/v1/settings",
    answer: () => one(looseObject({ preferences: maybeObject, sound: maybeObject, templates: maybeObject })),
  },
  /** Changes the given settings. Harmless if repeated. */
  update: {
    id: "notifications-push-update-settings",
    request: "PATCH /notifications/v1/settings",
    input: () =>
      strictObject(
        optional({
          preferences: json,
          sound: strictObject(optional({ chat: word, call: word })),
          templates: json,
        }),
      ),
    answer: acknowledgement,
  },
  /** Resets all settings to the platform's defaults. */
  reset: {
    id: "notifications-push-reset-settings",
    request: "DELETE /notifications/v1/settings",
    answer: acknowledgement,
  },
} as const satisfies Family;

const contactDetailsAnswer = () => looseObject({ email: maybeText, phno: maybeText });

/**
 * E-mail address and phone number of the acting user. See
 * docs/internals/platform/notifications.md#contact-details.
 * @example
 * await chat.contactDetails.update(
 *   { email: "alice@example.com", phno: "+15550100" },
 *   { onBehalfOf: "alice" },
 * );
 */
export const contactDetails = {
  /** Reads the acting user's e-mail and phone number. */
  get: {
    id: "notifications-get-contact-details",
    request: "GET /notifications/v1/contact-details",
    onBehalfOf: "required",
    answer: contactDetailsAnswer,
    // Contains an empty object without details (inferred).
    documented: "several",
  },
  /** Sets e-mail and phone number (with country code). Harmless if repeated. */
  update: {
    id: "notifications-update-contact-details",
    request: "PATCH /notifications/v1/contact-details",
    onBehalfOf: "required",
    input: () => strictObject(optional({ email: words(320), phno: words(30) })),
    answer: contactDetailsAnswer,
  },
  /** Deletes the acting user's contact details. */
  delete: {
    id: "notifications-delete-contact-details",
    request: "DELETE /notifications/v1/contact-details",
    onBehalfOf: "required",
    answer: acknowledgement,
  },
} as const satisfies Family;
