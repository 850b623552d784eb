import * as z from "zod/mini";
import { acknowledgement, maybeNumber, maybeText } from "../answers.ts";
import { json, opt, optional, pageQuery, word, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

/** A token that logs a user in. */
const authTokenAnswer = () =>
  z.looseObject({
    uid: z.string(),
    /** Logs the user in. A secret. */
    authToken: z.string(),
    createdAt: maybeNumber(),
    platform: maybeText(),
    userAgent: maybeText(),
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
    input: () => z.strictObject({ force: opt(yesNo()) }),
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
    input: () => z.strictObject(optional({ platform: word(), userAgent: word(), appInfo: json() })),
    answer: authTokenAnswer,
  },
  /** Deletes a token: the device it logged in is logged out. Errors: ERR_AUTH_TOKEN_NOT_FOUND. */
  delete: {
    id: "delete-authtoken",
    request: "DELETE /users/{uid}/auth_tokens/{authToken}",
    answer: acknowledgement,
  },
} as const satisfies Family;
