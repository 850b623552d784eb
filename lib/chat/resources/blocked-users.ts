import * as z from "zod/mini";
import { itemResults } from "../answers.ts";
import { pageQuery, someIds } from "../fields.ts";
import type { Family } from "../operation.ts";
import { userAnswer } from "./user-answer.ts";

const blockedUids = () => z.strictObject({ blockedUids: someIds() });

/**
 * Users that a user blocked. See docs/internals/platform/users-and-groups.md#blocked-users.
 * @example
 * await chat.blockedUsers.block("alice", { blockedUids: ["bob"] });
 * for await (const user of chat.blockedUsers.list("alice")) console.log(`${user.uid} is blocked.`);
 * await chat.blockedUsers.unblock("alice", { blockedUids: ["bob"] });
 */
export const blockedUsers = {
  /**
   * Blocks users for a user; check each uid's `success`. Errors: ERR_CANNOT_BLOCK_SELF. Harmless if repeated.
   */
  block: {
    id: "block-users",
    request: "POST /users/{uid}/blockedusers",
    input: blockedUids,
    answer: itemResults,
  },
  /** Unblocks users; check each uid's `success`. */
  unblock: {
    id: "unblock-users",
    request: "DELETE /users/{uid}/blockedusers",
    input: blockedUids,
    answer: itemResults,
  },
  /** Lists the users that a user blocked; `perPage` default 100. */
  list: {
    id: "list-blocked-users",
    request: "GET /users/{uid}/blockedusers",
    input: pageQuery,
    paged: "page",
    answer: userAnswer,
  },
} as const satisfies Family;
