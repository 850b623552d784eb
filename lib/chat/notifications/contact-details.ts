import * as z from "zod/mini";
import { acknowledgement, maybeText } from "../answers.ts";
import { optional, words } from "../fields.ts";
import type { Family } from "../operation.ts";

const contactDetailsAnswer = () => z.looseObject({ email: maybeText(), phno: maybeText() });

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
    // An empty object without details (inferred).
    documented: "several",
  },
  /** Sets e-mail and phone number (with country code). Harmless if repeated. */
  update: {
    id: "notifications-update-contact-details",
    request: "PATCH /notifications/v1/contact-details",
    onBehalfOf: "required",
    input: () => z.strictObject(optional({ email: words(320), phno: words(30) })),
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
