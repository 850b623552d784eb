import * as z from "zod/mini";
import { number, text } from "../answers.ts";
import type { Family } from "../operation.ts";

/** Reads an auth token (platform facts: chat-api, schema AuthToken). */
export const authTokenAnswer = () =>
  z.looseObject({
    uid: z.string(),
    /** Logs the user in. A secret. */
    authToken: z.string(),
    createdAt: number(),
    platform: text(),
    userAgent: text(),
  });

/** Tokens that log end users in. Platform facts: chat-api §4, auth tokens. */
export const authTokens = {
  /**
   * Issues a token for a user; `force` makes a new one. A user has at most 100, the oldest is archived.
   * Errors: ERR_UID_NOT_FOUND. Not repeated after an unclear failure; calling again is harmless, it costs a token.
   */
  create: {
    id: "create-authtoken",
    request: "POST /users/{uid}/auth_tokens",
    input: () => z.strictObject({ force: z.optional(z.boolean()) }),
    answer: authTokenAnswer,
  },
} as const satisfies Family;
