import * as z from "zod/mini";
import { acknowledgement, record } from "../answers.ts";
import { opt, word, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

const twilioFields = () => ({
  twilioAccountSID: word(),
  /** A secret. */
  twilioAuthToken: word(),
  twilioSenderPhoneNumber: word(),
});

const twilioInput = () => z.strictObject({ ...twilioFields(), isEnabled: opt(yesNo()) });
const twilioUpdate = () => z.partial(twilioInput());

const sendGridFields = () => ({
  /** A secret. */
  sendGridApiKey: word(),
  sendGridTemplateID: word(),
  sendGridUnsubscribeGroupID: word(),
  senderName: word(),
  senderEmail: word(),
  allowEmailReplies: yesNo(),
});

const sendGridInput = () =>
  z.strictObject({
    ...sendGridFields(),
    senderEmailForReplies: opt(z.nullable(word())),
    isEnabled: opt(yesNo()),
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
export const twilio = {
  /** Reads the configuration. May be repeated. */
  get: {
    id: "notifications-sms-list-twilio-details",
    request: "GET /notifications/sms/v1/providers/twilio",
    answer: record,
  },
  /**
   * Stores the configuration for the first time. Not repeated after an unclear failure; storing again is
   * harmless.
   */
  save: {
    id: "notifications-sms-save-twilio-details",
    request: "POST /notifications/sms/v1/providers/twilio",
    input: twilioInput,
    answer: record,
  },
  /** Changes the given fields. May be repeated. */
  update: {
    id: "notifications-sms-update-twilio-details",
    request: "PUT /notifications/sms/v1/providers/twilio",
    input: twilioUpdate,
    answer: record,
  },
  /** Deletes the configuration. May be repeated. */
  delete: {
    id: "notifications-sms-delete-twilio-details",
    request: "DELETE /notifications/sms/v1/providers/twilio",
    answer: acknowledgement,
  },
} as const satisfies Family;

/**
 * SendGrid, which sends the app's e-mail. See docs/internals/platform/notifications.md#e-mail-and-sms-providers.
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
export const sendGrid = {
  /** Reads the configuration. May be repeated. */
  get: {
    id: "notifications-email-list-sendgrid-details",
    request: "GET /notifications/email/v1/providers/sendgrid",
    answer: record,
  },
  /**
   * Stores the configuration for the first time. Not repeated after an unclear failure; storing again is
   * harmless.
   */
  save: {
    id: "notifications-email-save-sendgrid-details",
    request: "POST /notifications/email/v1/providers/sendgrid",
    input: sendGridInput,
    answer: record,
  },
  /** Changes the given fields. May be repeated. */
  update: {
    id: "notifications-email-update-sendgrid-details",
    request: "PUT /notifications/email/v1/providers/sendgrid",
    input: sendGridUpdate,
    answer: record,
  },
  /** Deletes the configuration. May be repeated. */
  delete: {
    id: "notifications-email-delete-sendgrid-details",
    request: "DELETE /notifications/email/v1/providers/sendgrid",
    answer: acknowledgement,
  },
} as const satisfies Family;
