import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import { safeUrlOf } from "../address.ts";
import { acknowledgement, itemResults, maybeFlag, maybeNumber, maybeText, one } from "../answers.ts";
import type { Family } from "../operation.ts";
import { int, looseObject, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";

// Examples nest the webhook in lists and in `data` again, which is assumed wrong
// (docs/internals/platform/management.md#webhooks).
/** Whether answers include credentials and `retryOnFailure` is not documented. Times are unix seconds. */
const webhookAnswer = () =>
  z.pipe(
    z.transform((data: unknown) => {
      const first = Array.isArray(data) && data.length === 1 ? data[0] : data;
      return isRecord(first) && "data" in first ? first.data : first;
    }),
    one(
      looseObject({
        id: word,
        name: maybeText,
        webhookURL: maybeText,
        enabled: maybeFlag,
        createdAt: maybeNumber,
        updatedAt: maybeNumber,
      }),
    ),
  );

/** Refuses spaces; the platform's own examples have underscores in ids. */
const plain = (max: number, rule = /^[A-Za-z0-9]+$/) =>
  words(max).check(z.regex(rule, "letters and digits without spaces"));

const content = () =>
  optional({
    useBasicAuth: yesNo,
    username: plain(50),
    /** Secret. */
    password: plain(100),
    enabled: yesNo,
    retryOnFailure: yesNo,
  });

const webhookUrl = () =>
  words(255).check(
    z.refine(
      (text) => safeUrlOf(text) !== undefined,
      "a public https address (plain http only on this machine)",
    ),
  );

/** Other triggers may exist (docs/internals/platform/management.md#triggers). */
const triggerIds = () => strictObject({ triggerIds: z.array(words(100)).check(z.minLength(1)) });

/**
 * Webhooks, at most 25 per app.
 * @see docs/internals/platform/management.md#webhooks
 * @example
 * const webhookURL = "https://example.com/webhooks/app";
 * await management.webhooks.create(appId, { id: "events", name: "Events", webhookURL, enabled: false });
 * await management.webhooks.addTriggers(appId, "events", { triggerIds: ["message_sent"] });
 * await management.webhooks.update(appId, "events", { enabled: true });
 */
export const webhooks = {
  /**
   * Creates a webhook; add triggers afterwards, so create it with `enabled: false`. Pass an `alreadyDone`
   * that reads it by its id.
   */
  create: {
    id: "create-webhook",
    request: "POST /apps/{appId}/webhooks",
    input: () =>
      strictObject({
        id: plain(50, /^[A-Za-z0-9_-]+$/),
        name: words(50),
        webhookURL: webhookUrl,
        ...content(),
      }),
    answer: webhookAnswer,
  },
  /** Lists webhooks. `perPage` default 100. */
  list: {
    id: "list-webhooks",
    request: "GET /apps/{appId}/webhooks",
    input: () =>
      strictObject(
        optional({
          perPage: int(1, 1_000),
          /** A webhook's name. */
          searchKey: word,
        }),
      ),
    paged: "page",
    answer: webhookAnswer,
  },
  /** Reads a webhook. Errors: ERR_WEBHOOK_NOT_FOUND. */
  get: {
    id: "get-webhook",
    request: "GET /apps/{appId}/webhooks/{webhookId}",
    answer: webhookAnswer,
  },
  /** Changes the given fields. Errors: ERR_WEBHOOK_NOT_FOUND. */
  update: {
    id: "update-webhook",
    request: "PUT /apps/{appId}/webhooks/{webhookId}",
    input: () => strictObject({ name: opt(words(50)), webhookURL: opt(webhookUrl), ...content() }),
    answer: webhookAnswer,
  },
  /** Deletes a webhook. Errors: ERR_WEBHOOK_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "delete-webhook",
    request: "DELETE /apps/{appId}/webhooks/{webhookId}",
    answer: acknowledgement,
  },
  /**
   * Adds triggers to those a webhook has (inferred); check each one's `success`. Errors:
   * ERR_WEBHOOK_NOT_FOUND, ERR_TRIGGER_NOT_FOUND. Harmless if repeated (inferred).
   */
  addTriggers: {
    id: "add-triggers",
    request: "POST /apps/{appId}/webhooks/{webhookId}/triggers",
    input: triggerIds,
    answer: itemResults,
  },
  /** Lists a webhook's triggers. Errors: ERR_WEBHOOK_NOT_FOUND. */
  listTriggers: {
    id: "list-triggers",
    request: "GET /apps/{appId}/webhooks/{webhookId}/triggers",
    paged: "page",
    answer: () => looseObject({ id: word, description: maybeText }),
  },
  /** Removes triggers. Errors: ERR_WEBHOOK_NOT_FOUND, ERR_TRIGGER_NOT_FOUND. */
  removeTriggers: {
    id: "remove-triggers",
    request: "DELETE /apps/{appId}/webhooks/{webhookId}/triggers",
    input: triggerIds,
    answer: acknowledgement,
  },
} as const satisfies Family;
