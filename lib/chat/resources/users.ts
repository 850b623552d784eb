import * as z from "zod/mini";
import { displayName, link, metadata, platformId, tags } from "../fields.ts";
import type { Family } from "../operation.ts";
import { userAnswer } from "./user-answer.ts";

/** Users of the app. Platform facts: chat-api §4, users. */
export const users = {
  /**
   * Creates a user; with `withAuthToken` the answer carries a login token too.
   * `name` ≤ 100 characters, `avatar` and `link` ≤ 3000, `metadata` ≤ 5 KB, ≤ 25 `tags`; a named `role` must exist.
   * Errors: ERR_UID_ALREADY_EXISTS, ERR_ROLE_NOT_FOUND. Not repeated after an unclear failure; pass `alreadyDone`, or
   * create again and treat ERR_UID_ALREADY_EXISTS as done.
   */
  create: {
    id: "create-user",
    request: "POST /users",
    input: () =>
      z.strictObject({
        uid: platformId(),
        name: displayName(),
        avatar: z.optional(link()),
        link: z.optional(link()),
        role: z.optional(platformId()),
        statusMessage: z.optional(z.string()),
        metadata: z.optional(metadata()),
        tags: z.optional(tags()),
        withAuthToken: z.optional(z.boolean()),
      }),
    answer: userAnswer,
    rateClass: "core",
  },
} as const satisfies Family;
