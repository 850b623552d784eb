import * as z from "zod/mini";
import { acknowledgement, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { json, looseObject, opt, optional, pageQuery, strictObject, word, words, yesNo } from "../schema.ts";

/** An API key. */
const apiKeyAnswer = () =>
  looseObject({
    /** The key itself, 40 hexadecimal characters. A secret. */
    apiKey: word,
    name: maybeText,
    /** `fullAccess` or `authOnly`. */
    scope: maybeText,
    createdAt: maybeNumber,
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
    input: () => strictObject({ name: words(100), scope }),
    answer: apiKeyAnswer,
  },
  /** Lists keys with their values. */
  list: {
    id: "list-apikeys",
    request: "GET /apikeys",
    input: () =>
      strictObject(
        optional({
          scope,
          /** A part of the key's name. */
          searchKey: word,
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
    input: () => strictObject(optional({ name: words(100), scope })),
    answer: apiKeyAnswer,
  },
  /** Deletes a key; calls with it fail. Errors: ERR_APIKEY_NOT_FOUND, ERR_APIKEY_NO_SELF_ACTION. */
  delete: { id: "delete-apikey", request: "DELETE /apikeys/{apiKey}", answer: acknowledgement },
} as const satisfies Family;

/** A token that logs a user in. */
const authTokenAnswer = () =>
  looseObject({
    uid: word,
    /** Logs the user in. A secret. */
    authToken: word,
    createdAt: maybeNumber,
    platform: maybeText,
    userAgent: maybeText,
  });

/**
 * Tokens that log end users in; a user has at most 100, the oldest is archived.
 * @see docs/internals/platform/addressing-and-keys.md#auth-tokens
 * @example
 * const { authToken } = await chat.authTokens.create("alice"); // Alice's device logs in with it
 * await chat.authTokens.delete("alice", authToken); // and that device is logged out
 */
export const authTokens = {
  /**
   * Issues a token for a user; `force` makes a new one. An authOnly key may call this. Errors:
   * ERR_UID_NOT_FOUND. Another call costs a token.
   */
  create: {
    id: "create-authtoken",
    request: "POST /users/{uid}/auth_tokens",
    input: () => strictObject({ force: opt(yesNo) }),
    answer: authTokenAnswer,
  },
  /** Lists a user's tokens. `perPage` default 100. Errors: ERR_UID_NOT_FOUND. */
  list: {
    id: "list-authtokens",
    request: "GET /users/{uid}/auth_tokens",
    input: pageQuery,
    paged: "page",
    answer: authTokenAnswer,
  },
  /** Deletes all tokens of a user: every device is logged out. Errors: ERR_UID_NOT_FOUND. */
  deleteAll: {
    id: "flush-authtokens",
    request: "DELETE /users/{uid}/auth_tokens",
    answer: acknowledgement,
  },
  /** Reads a token. Errors: ERR_AUTH_TOKEN_NOT_FOUND. */
  get: {
    id: "get-authtoken",
    request: "GET /users/{uid}/auth_tokens/{authToken}",
    answer: authTokenAnswer,
  },
  /** Sets the platform that uses a token. Errors: ERR_AUTH_TOKEN_NOT_FOUND. */
  update: {
    id: "update-authtoken",
    request: "PUT /users/{uid}/auth_tokens/{authToken}",
    input: () => strictObject(optional({ platform: word, userAgent: word, appInfo: json })),
    answer: authTokenAnswer,
  },
  /** Deletes a token: the device it logged in is logged out. Errors: ERR_AUTH_TOKEN_NOT_FOUND. */
  delete: {
    id: "delete-authtoken",
    request: "DELETE /users/{uid}/auth_tokens/{authToken}",
    answer: acknowledgement,
  },
} as const satisfies Family;
