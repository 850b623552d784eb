import * as z from "zod/mini";
import { acknowledgement, record } from "../answers.ts";
import { words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

/** Your webhook that the platform calls instead of a provider. */
const fields = () => ({
  isEnabled: yesNo(),
  webhookURL: words(255),
  useBasicAuth: yesNo(),
  basicAuthUsername: words(50),
  /** A secret. */
  basicAuthPassword: words(100),
});

const pushInput = () => z.strictObject(fields());
const pushUpdate = () => z.partial(pushInput());
const smsInput = () => z.strictObject({ ...fields(), useStoredPhNo: yesNo() });
const smsUpdate = () => z.partial(smsInput());
const emailInput = () => z.strictObject({ ...fields(), useStoredEmailID: yesNo() });
const emailUpdate = () => z.partial(emailInput());

/**
 * Your own webhook for push notifications. See docs/internals/platform/notifications.md#custom-providers.
 * @example
 * await chat.customPush.save({
 *   isEnabled: true,
 *   webhookURL: "https://example.com/push",
 *   useBasicAuth: true,
 *   basicAuthUsername: "chat",
 *   basicAuthPassword,
 * });
 */
export const customPush = {
  /** Reads the configuration. May be repeated. */
  get: {
    id: "notifications-list-push-custom-provider",
    request: "GET /notifications/push/v1/providers/custom",
    answer: record,
  },
  /**
   * Stores the configuration for the first time. Not repeated after an unclear failure; storing again is
   * harmless.
   */
  save: {
    id: "notifications-save-push-custom-provider",
    request: "POST /notifications/push/v1/providers/custom",
    input: pushInput,
    answer: record,
  },
  /** Changes the given fields. May be repeated. */
  update: {
    id: "notifications-update-push-custom-provider",
    request: "PUT /notifications/push/v1/providers/custom",
    input: pushUpdate,
    answer: record,
  },
  /** Deletes the configuration. May be repeated. */
  delete: {
    id: "notifications-delete-push-custom-provider",
    request: "DELETE /notifications/push/v1/providers/custom",
    answer: acknowledgement,
  },
} as const satisfies Family;

/**
 * Your own webhook for SMS. See docs/internals/platform/notifications.md#custom-providers.
 * @example
 * await chat.customSms.save({
 *   isEnabled: true,
 *   webhookURL: "https://example.com/sms",
 *   useBasicAuth: true,
 *   basicAuthUsername: "chat",
 *   basicAuthPassword,
 *   useStoredPhNo: true, // the platform sends the number along
 * });
 */
export const customSms = {
  /** Reads the configuration. May be repeated. */
  get: {
    id: "notifications-list-sms-custom-provider",
    request: "GET /notifications/sms/v1/providers/custom",
    answer: record,
  },
  /**
   * Stores the configuration for the first time. Not repeated after an unclear failure; storing again is
   * harmless.
   */
  save: {
    id: "notifications-save-sms-custom-provider",
    request: "POST /notifications/sms/v1/providers/custom",
    input: smsInput,
    answer: record,
  },
  /** Changes the given fields. May be repeated. */
  update: {
    id: "notifications-update-sms-custom-provider",
    request: "PUT /notifications/sms/v1/providers/custom",
    input: smsUpdate,
    answer: record,
  },
  /** Deletes the configuration. May be repeated. */
  delete: {
    id: "notifications-delete-sms-custom-provider",
    request: "DELETE /notifications/sms/v1/providers/custom",
    answer: acknowledgement,
  },
} as const satisfies Family;

/**
 * Your own webhook for e-mail. See docs/internals/platform/notifications.md#custom-providers.
 * @example
 * await chat.customEmail.save({
 *   isEnabled: true,
 *   webhookURL: "https://example.com/email",
 *   useBasicAuth: true,
 *   basicAuthUsername: "chat",
 *   basicAuthPassword,
 *   useStoredEmailID: true, // the platform sends the address along
 * });
 */
export const customEmail = {
  /** Reads the configuration. May be repeated. */
  get: {
    id: "notifications-list-email-custom-provider",
    request: "GET /notifications/email/v1/providers/custom",
    answer: record,
  },
  /**
   * Stores the configuration for the first time. Not repeated after an unclear failure; storing again is
   * harmless.
   */
  save: {
    id: "notifications-save-email-custom-provider",
    request: "POST /notifications/email/v1/providers/custom",
    input: emailInput,
    answer: record,
  },
  /** Changes the given fields. May be repeated. */
  update: {
    id: "notifications-update-email-custom-provider",
    request: "PUT /notifications/email/v1/providers/custom",
    input: emailUpdate,
    answer: record,
  },
  /** Deletes the configuration. May be repeated. */
  delete: {
    id: "notifications-delete-email-custom-provider",
    request: "DELETE /notifications/email/v1/providers/custom",
    answer: acknowledgement,
  },
} as const satisfies Family;
