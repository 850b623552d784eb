import * as z from "zod/mini";
import { acknowledgement, maybeObject, one } from "../answers.ts";
import { json, optional, word } from "../fields.ts";
import type { Family } from "../operation.ts";

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
    answer: () =>
      one(z.looseObject({ preferences: maybeObject(), sound: maybeObject(), templates: maybeObject() })),
  },
  /** Changes the given settings. Harmless if repeated. */
  update: {
    id: "notifications-push-update-settings",
    request: "PATCH /notifications/v1/settings",
    input: () =>
      z.strictObject(
        optional({
          preferences: json(),
          sound: z.strictObject(optional({ chat: word(), call: word() })),
          templates: json(),
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
