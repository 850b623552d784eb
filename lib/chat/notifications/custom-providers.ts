import * as z from "zod/mini";
import { acknowledgement, record } from "../answers.ts";
import { words, yesNo } from "../fields.ts";
import { providerOperations } from "./provider-operations.ts";

const answers = { answer: record, deleted: acknowledgement };

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
export const customPush = /* @__PURE__ */ providerOperations(
  "notifications-",
  "-push-custom-provider",
  "push/v1/providers/custom",
  { ...answers, input: pushInput, update: pushUpdate },
);

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
export const customSms = /* @__PURE__ */ providerOperations(
  "notifications-",
  "-sms-custom-provider",
  "sms/v1/providers/custom",
  { ...answers, input: smsInput, update: smsUpdate },
);

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
export const customEmail = /* @__PURE__ */ providerOperations(
  "notifications-",
  "-email-custom-provider",
  "email/v1/providers/custom",
  { ...answers, input: emailInput, update: emailUpdate },
);
