import * as z from "zod/mini";
import { acknowledgement, record } from "../answers.ts";
import { opt, word, yesNo } from "../fields.ts";
import { providerOperations } from "./provider-operations.ts";

const answers = { answer: record, deleted: acknowledgement };

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
export const twilio = /* @__PURE__ */ providerOperations(
  "notifications-sms-",
  "-twilio-details",
  "sms/v1/providers/twilio",
  { ...answers, input: twilioInput, update: twilioUpdate },
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
  { ...answers, input: sendGridInput, update: sendGridUpdate },
);
