import * as z from "zod/mini";
import { acknowledgement, record } from "../answers.ts";
import { opt, type Schema, strictObject, word, words, yesNo } from "../schema.ts";

/**
 * The platform's ids have the verb between two texts. Both schemas are arguments, so that the types name
 * them.
 */
function providerOperations<
  const Before extends string,
  const After extends string,
  const Path extends string,
  Input extends () => Schema,
  Update extends () => Schema,
>(before: Before, after: After, path: Path, input: Input, update: Update) {
  return {
    /** Reads the configuration. */
    get: { id: `${before}list${after}`, request: `GET /notifications/${path}`, answer: record },
    /** Stores the configuration for the first time. Harmless if repeated. */
    save: { id: `${before}save${after}`, request: `POST /notifications/${path}`, input, answer: record },
    /** Changes the given fields. */
    update: {
      id: `${before}update${after}`,
      request: `PUT /notifications/${path}`,
      input: update,
      answer: record,
    },
    /** Deletes the configuration. */
    delete: {
      id: `${before}delete${after}`,
      request: `DELETE /notifications/${path}`,
      answer: acknowledgement,
    },
  } as const;
}

/** Describes your webhook that the platform calls instead of a provider. */
const fields = () => ({
  isEnabled: yesNo,
  webhookURL: words(255),
  useBasicAuth: yesNo,
  basicAuthUsername: words(50),
  /** Secret. */
  basicAuthPassword: words(100),
});

const pushInput = () => strictObject(fields());
const pushUpdate = () => z.partial(pushInput());
const smsInput = () => strictObject({ ...fields(), useStoredPhNo: yesNo });
const smsUpdate = () => z.partial(smsInput());
const emailInput = () => strictObject({ ...fields(), useStoredEmailID: yesNo });
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
  pushInput,
  pushUpdate,
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
  smsInput,
  smsUpdate,
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
  emailInput,
  emailUpdate,
);

const twilioFields = {
  twilioAccountSID: word,
  /** Secret. */
  twilioAuthToken: word,
  twilioSenderPhoneNumber: word,
};

const twilioInput = () => strictObject({ ...twilioFields, isEnabled: opt(yesNo) });
const twilioUpdate = () => z.partial(twilioInput());

const sendGridFields = {
  /** Secret. */
  sendGridApiKey: word,
  sendGridTemplateID: word,
  sendGridUnsubscribeGroupID: word,
  senderName: word,
  senderEmail: word,
  allowEmailReplies: yesNo,
};

const sendGridInput = () =>
  strictObject({
    ...sendGridFields,
    senderEmailForReplies: opt(z.nullable(word())),
    isEnabled: opt(yesNo),
  });
const sendGridUpdate = () => z.partial(sendGridInput());

/**
 * Twilio, which sends the app's SMS. See docs/internals/platform/notifications.md#e-mail-and-sms-providers.
 * @example
 * await chat.twilio.save({
 *   twilioAccountSID: "AC0123456789",
 *   twilioAuthToken,
 *   twilioSenderPhoneNumber: "+15550100",
 * });
 */
export const twilio = /* @__PURE__ */ providerOperations(
  "notifications-sms-",
  "-twilio-details",
  "sms/v1/providers/twilio",
  twilioInput,
  twilioUpdate,
);

/**
 * SendGrid, which sends the app's e-mail. See
 * docs/internals/platform/notifications.md#e-mail-and-sms-providers.
 * @example
 * await chat.sendGrid.save({
 *   sendGridApiKey,
 *   sendGridTemplateID: "d-0123456789",
 *   sendGridUnsubscribeGroupID: "4711",
 *   senderName: "Support",
 *   senderEmail: "support@example.com",
 *   allowEmailReplies: false,
 * });
 */
export const sendGrid = /* @__PURE__ */ providerOperations(
  "notifications-email-",
  "-sendgrid-details",
  "email/v1/providers/sendgrid",
  sendGridInput,
  sendGridUpdate,
);
