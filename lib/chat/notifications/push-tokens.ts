import * as z from "zod/mini";
import { acknowledgement, maybe, maybeText } from "../answers.ts";
import { opt, words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

/** An auth token identifies the device's user. */
const authToken = () => words(1_000);
const device = () => ({
  authToken: authToken(),
  providerId: words(1_000),
  /** IANA name. */
  timezone: opt(words(100)),
});

const fcmPlatform = () =>
  z.enum([
    "fcm_android",
    "fcm_ios",
    "fcm_web",
    "fcm_flutter_android",
    "fcm_flutter_ios",
    "fcm_react_native_android",
    "fcm_react_native_ios",
    "fcm_ionic_cordova_android",
    "fcm_ionic_cordova_ios",
  ]);
const apnsDevice = () =>
  z.enum(["apns_ios_device", "apns_flutter_device", "apns_react_native_device", "apns_ionic_cordova_device"]);
const apnsVoip = () =>
  z.enum(["apns_ios_voip", "apns_flutter_voip", "apns_ionic_cordova_voip", "apns_react_native_voip"]);

const pushTokensAnswer = () =>
  z.looseObject({
    pushTokens: maybe(
      z.array(
        z.looseObject({
          pushToken: maybeText(),
          pushTokenType: maybeText(),
          platform: maybeText(),
          providerId: maybeText(),
          uid: maybeText(),
          /** ISO 8601, as `updatedAt`. */
          createdAt: maybeText(),
          updatedAt: maybeText(),
        }),
      ),
    ),
  });

/**
 * Devices that receive push notifications. See docs/internals/platform/notifications.md#push-tokens.
 * @example
 * const { authToken } = await chat.authTokens.create("alice");
 * await chat.pushTokens.register({
 *   authToken,
 *   platform: "fcm_android",
 *   providerId: "android",
 *   fcmToken: deviceToken,
 * });
 */
export const pushTokens = {
  /** Registers a device; the platform decides the token's field. Harmless if repeated. */
  register: {
    id: "notifications-push-register-token",
    request: "POST /notifications/push/v1/tokens",
    input: () =>
      z.union([
        z.strictObject({ ...device(), platform: fcmPlatform(), fcmToken: words(4_096) }),
        z.strictObject({ ...device(), platform: apnsDevice(), deviceToken: words(4_096) }),
        z.strictObject({ ...device(), platform: apnsVoip(), voipToken: words(4_096) }),
      ]),
    answer: acknowledgement,
  },
  /** Lists the device of an auth token, or with `all` every device of its user. */
  list: {
    id: "notifications-push-list-tokens",
    request: "GET /notifications/push/v1/tokens",
    input: () => z.strictObject({ authToken: authToken(), all: opt(yesNo()) }),
    answer: pushTokensAnswer,
  },
  /** Unregisters the device of an auth token, or with `all` every device of its user. */
  unregister: {
    id: "notifications-push-unregister-tokens",
    request: "DELETE /notifications/push/v1/tokens",
    input: () => z.strictObject({ authToken: authToken(), all: opt(yesNo()) }),
    inQuery: ["all"],
    answer: pushTokensAnswer,
  },
  /** Deletes one push token. */
  delete: {
    id: "notifications-push-delete-token",
    request: "DELETE /notifications/push/v1/tokens/{pushToken}",
    input: () => z.strictObject({ authToken: authToken() }),
    answer: pushTokensAnswer,
  },
} as const satisfies Family;
