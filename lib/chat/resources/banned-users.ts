import { acknowledgement } from "../answers.ts";
import { pageQuery } from "../fields.ts";
import type { Family } from "../operation.ts";
import { userAnswer } from "./user-answer.ts";

/**
 * Users banned from a group. See docs/internals/platform/users-and-groups.md#banned-users.
 * @example
 * await chat.bannedUsers.ban("lobby", "bob");
 * for await (const { uid } of chat.bannedUsers.list("lobby")) await chat.bannedUsers.unban("lobby", uid);
 */
export const bannedUsers = {
  /** Bans a user from a group. Errors: ERR_ALREADY_BANNED, ERR_GROUP_NO_CLEARANCE. Harmless if repeated. */
  ban: {
    id: "ban-group-user",
    request: "POST /groups/{guid}/bannedusers/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
  /** Lifts a ban. Errors: ERR_NOT_A_BANNED_USER (after an unclear try: done). */
  unban: {
    id: "unban-group-user",
    request: "DELETE /groups/{guid}/bannedusers/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
  /** Lists the banned users of a group. `perPage` default 100. Errors: ERR_GUID_NOT_FOUND. */
  list: {
    id: "list-banned-group-users",
    request: "GET /groups/{guid}/bannedusers",
    input: pageQuery,
    paged: "page",
    answer: userAnswer,
  },
} as const satisfies Family;
