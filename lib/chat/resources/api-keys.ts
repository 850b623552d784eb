import * as z from "zod/mini";
import { acknowledgement, maybeNumber, maybeText } from "../answers.ts";
import { optional, word, words } from "../fields.ts";
import type { Family } from "../operation.ts";

/** An API key. */
const apiKeyAnswer = () =>
  z.looseObject({
    /** The key itself, 40 hexadecimal characters. A secret. */
    apiKey: z.string(),
    name: maybeText(),
    /** `fullAccess` or `authOnly`. */
    scope: maybeText(),
    createdAt: maybeNumber(),
  });

const scope = () => z.enum(["fullAccess", "authOnly"]);

/**
 * API keys of the app, at most 25. A key cannot change or delete itself, so a rotation needs two. See
 * docs/internals/platform/addressing-and-keys.md#api-keys,
 * docs/internals/platform/addressing-and-keys.md#rotating-keys.
 * @example
 * const { apiKey } = await chat.apiKeys.create({ name: "backend", scope: "fullAccess" });
 * // Store it, let every caller take it, then delete the old one with it: a key cannot delete itself.
 */
export const apiKeys = {
  /** Creates a key; the answer holds its value. Look for the name in the list before you repeat it. */
  create: {
    id: "create-apikey",
    request: "POST /apikeys",
    input: () => z.strictObject({ name: words(100), scope: scope() }),
    answer: apiKeyAnswer,
  },
  /** Lists keys with their values. */
  list: {
    id: "list-apikeys",
    request: "GET /apikeys",
    input: () =>
      z.strictObject(
        optional({
          scope: scope(),
          /** A part of the key's name. */
          searchKey: word(),
        }),
      ),
    paged: "page",
    answer: apiKeyAnswer,
  },
  /** Reads a key. Errors: ERR_APIKEY_NOT_FOUND. */
  get: { id: "get-apikey", request: "GET /apikeys/{apiKey}", answer: apiKeyAnswer },
  /**
   * Changes a key's name or scope, not its value. Errors: ERR_APIKEY_NOT_FOUND, ERR_APIKEY_NO_SELF_ACTION.
   */
  update: {
    id: "update-apikey",
    request: "PUT /apikeys/{apiKey}",
    input: () => z.strictObject(optional({ name: words(100), scope: scope() })),
    answer: apiKeyAnswer,
  },
  /** Deletes a key; calls with it fail. Errors: ERR_APIKEY_NOT_FOUND, ERR_APIKEY_NO_SELF_ACTION. */
  delete: { id: "delete-apikey", request: "DELETE /apikeys/{apiKey}", answer: acknowledgement },
} as const satisfies Family;
