import * as z from "zod/mini";
import { acknowledgement, maybeObjects } from "../answers.ts";
import { optional, word, words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

const onOff = () => z.strictObject(optional({ chat: yesNo(), call: yesNo() }));
const providerId = () => words(1_000);

const fcm = () =>
  optional({
    serviceAccountFilename: word(),
    /** A secret. */
    serviceAccountCreds: z.strictObject(
      optional({
        project_id: word(),
        client_email: word(),
        private_key: word(),
        private_key_id: word(),
      }),
    ),
    notificationInPayload: z.strictObject(optional({ ios: onOff(), android: onOff(), web: onOff() })),
  });

const apns = () =>
  optional({
    keyId: word(),
    teamId: word(),
    bundleId: word(),
    p8KeyFilename: word(),
    /** A secret. */
    p8Key: word(),
    includeContentAvailable: yesNo(),
    includeMutableContent: yesNo(),
    productionMode: yesNo(),
  });

/** `providerId` in the body selects the provider. */
const fcmInput = () => z.strictObject({ providerId: providerId(), ...fcm() });
const apnsInput = () => z.strictObject({ providerId: providerId(), ...apns() });

/** Items have the fields of the input (inferred). */
const pushProvidersAnswer = () => z.looseObject({ pushProviders: maybeObjects() });

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
