import * as z from "zod/mini";
import { acknowledgement, itemResults, maybe, maybeFlag, maybeText, undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import { file, int, looseObject, opt, strictObject, word } from "../schema.ts";
import { extensionIds } from "./extension-settings.ts";

const someIds = () => opt(z.array(z.enum(extensionIds)));
const certificate = () => strictObject({ certificate: file });

/**
 * Extensions of an app: enable one first, then store its settings. See
 * docs/internals/platform/management.md#extensions.
 * @example
 * await management.extensions.switch(appId, { enabled: ["polls"], disabled: ["mentions"] });
 */
export const extensions = {
  /** Enables and disables extensions; check each id's `success`. Harmless if repeated. */
  switch: {
    id: "enable-extension",
    request: "POST /apps/{appId}/extensions",
    input: () => strictObject({ enabled: someIds, disabled: someIds }),
    answer: () => looseObject({ enabled: maybe(itemResults), disabled: maybe(itemResults) }),
  },
  /** Lists all extensions and whether they are enabled. `perPage` default 25. */
  list: {
    id: "list-extensions",
    request: "GET /apps/{appId}/extensions",
    input: () => strictObject({ perPage: opt(int(1, 1_000)) }),
    paged: "page",
    answer: () => looseObject({ id: word, name: maybeText, description: maybeText, isActive: maybeFlag }),
  },
  /** Uploads a p12 certificate for Apple's push service. Harmless if repeated (inferred). */
  uploadCertificateP12: {
    id: "upload-push-notification-certificate-p12",
    request: "POST /apps/{appId}/extensions/push-notification/v1/upload-certificate-p12",
    form: true,
    input: certificate,
    answer: acknowledgement,
  },
  /** Uploads a p8 key for Apple's push service. Harmless if repeated (inferred). */
  uploadCertificateP8: {
    id: "upload-push-notification-certificate-p8",
    request: "POST /apps/{appId}/extensions/push-notification/v1/upload-certificate-p8",
    form: true,
    input: certificate,
    answer: acknowledgement,
  },
  /** Lists the uploaded certificates. */
  queryCertificates: {
    id: "query-push-notification-certificates",
    request: "GET /apps/{appId}/extensions/push-notification/v1/query-certificates",
    answer: undocumented,
    documented: "several",
  },
} as const satisfies Family;
