import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { acknowledgement, maybe, maybeObjects, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { looseObject, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";

const onOff = () => strictObject(optional({ chat: yesNo, call: yesNo }));
const providerId = () => words(1_000);

const fcm = () =>
  optional({
    serviceAccountFilename: word,
    /** Secret. */
    serviceAccountCreds: strictObject(
      optional({
        project_id: word,
        client_email: word,
        private_key: word,
        private_key_id: word,
      }),
    ),
    notificationInPayload: strictObject(optional({ ios: onOff, android: onOff, web: onOff })),
  });

const apns = () =>
  optional({
    keyId: word,
    teamId: word,
    bundleId: word,
    p8KeyFilename: word,
    /** Secret. */
    p8Key: word,
    includeContentAvailable: yesNo,
    includeMutableContent: yesNo,
    productionMode: yesNo,
  });

/** `providerId` in the body selects the provider. */
const fcmInput = () => strictObject({ providerId, ...fcm() });
const apnsInput = () => strictObject({ providerId, ...apns() });

/** Items have the fields of the input (inferred). */
const pushProvidersAnswer = () => looseObject({ pushProviders: maybeObjects });

/**
 * Google's push service. See docs/internals/platform/notifications.md#push-providers.
 * @example
 * await chat.fcmProviders.add({ providerId: "android", serviceAccountCreds });
 * await chat.fcmProviders.makeDefault("android");
 */
export const fcmProviders = {
  /** Lists the providers. */
  list: {
    id: "notifications-push-list-fcm-providers",
    request: "GET /notifications/push/v1/providers/fcm",
    answer: pushProvidersAnswer,
  },
  /** Adds a provider. Look for its id in the list before you repeat it. */
  add: {
    id: "notifications-push-add-fcm-provider",
    request: "POST /notifications/push/v1/providers/fcm",
    input: fcmInput,
    answer: acknowledgement,
  },
  /** Changes the provider of that `providerId`. */
  update: {
    id: "notifications-push-update-fcm-provider",
    request: "PUT /notifications/push/v1/providers/fcm",
    input: fcmInput,
    answer: acknowledgement,
  },
  /** Deletes a provider. */
  delete: {
    id: "notifications-push-delete-fcm-provider",
    request: "DELETE /notifications/push/v1/providers/fcm/{providerId}",
    answer: acknowledgement,
  },
  /** Makes a provider the default. */
  makeDefault: {
    id: "notifications-push-default-fcm-provider",
    request: "PUT /notifications/push/v1/providers/fcm/default/{providerId}",
    answer: acknowledgement,
  },
} as const satisfies Family;

/**
 * Apple's push service. See docs/internals/platform/notifications.md#push-providers.
 * @example
 * await chat.apnsProviders.add({ providerId: "ios", keyId, p8Key });
 * const { pushProviders } = await chat.apnsProviders.list();
 */
export const apnsProviders = {
  /** Lists the providers. */
  list: {
    id: "notifications-push-list-apns-providers",
    request: "GET /notifications/push/v1/providers/apns",
    answer: pushProvidersAnswer,
  },
  /** Adds a provider; answers the list. Look for its id in the list before you repeat it. */
  add: {
    id: "notifications-push-add-apns-provider",
    request: "POST /notifications/push/v1/providers/apns",
    input: apnsInput,
    answer: pushProvidersAnswer,
  },
  /** Changes the provider of that `providerId`. */
  update: {
    id: "notifications-push-update-apns-provider",
    request: "PUT /notifications/push/v1/providers/apns",
    input: apnsInput,
    answer: acknowledgement,
  },
  /** Deletes a provider. */
  delete: {
    id: "notifications-push-delete-apns-provider",
    request: "DELETE /notifications/push/v1/providers/apns/{providerId}",
    answer: acknowledgement,
  },
  /** Makes a provider the default. */
  makeDefault: {
    id: "notifications-push-default-apns-provider",
    request: "PUT /notifications/push/v1/providers/apns/default/{providerId}",
    answer: acknowledgement,
  },
} as const satisfies Family;

/** Identifies the device's user. */
const authToken = () => words(1_000);
const device = () => ({
  authToken,
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
  looseObject({
    pushTokens: maybe(
      z.array(
        looseObject({
          ...recordOf(["pushToken", "pushTokenType", "platform", "providerId", "uid"], maybeText),
          /** ISO 8601, as `updatedAt`. */
          createdAt: maybeText,
          updatedAt: maybeText,
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
        strictObject({ ...device(), platform: fcmPlatform, fcmToken: words(4_096) }),
        strictObject({ ...device(), platform: apnsDevice, deviceToken: words(4_096) }),
        strictObject({ ...device(), platform: apnsVoip, voipToken: words(4_096) }),
      ]),
    answer: acknowledgement,
  },
  /** Lists the device of an auth token, or with `all` every device of its user. */
  list: {
    id: "notifications-push-list-tokens",
    request: "GET /notifications/push/v1/tokens",
    input: () => strictObject({ authToken, all: opt(yesNo) }),
    answer: pushTokensAnswer,
  },
  /** Unregisters the device of an auth token, or with `all` every device of its user. */
  unregister: {
    id: "notifications-push-unregister-tokens",
    request: "DELETE /notifications/push/v1/tokens",
    input: () => strictObject({ authToken, all: opt(yesNo) }),
    inQuery: ["all"],
    answer: pushTokensAnswer,
  },
  /** Deletes one push token. */
  delete: {
    id: "notifications-push-delete-token",
    request: "DELETE /notifications/push/v1/tokens/{pushToken}",
    input: () => strictObject({ authToken }),
    answer: pushTokensAnswer,
  },
} as const satisfies Family;
