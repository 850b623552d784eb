import * as z from "zod/mini";
import { acknowledgement, itemResults, maybe } from "../answers.ts";
import { opt, pageFields, someIds, word } from "../fields.ts";
import type { Family } from "../operation.ts";
import { userAnswer } from "./user-answer.ts";

/**
 * Friends of a user, at most 1,000. See docs/internals/platform/users-and-groups.md#friends.
 * @example
 * const { accepted } = await chat.friends.add("alice", { accepted: ["bob"] });
 * console.log(accepted?.bob?.success);
 * const friendsOfAlice = await chat.friends.list("alice").page();
 */
export const friends = {
  /**
   * Makes users friends immediately; check each uid's `success` under `accepted`. Errors: ERR_UID_NOT_FOUND.
   * Adding again reports ERR_ALREADY_FRIEND per uid.
   */
  add: {
    id: "add-friend",
    request: "POST /users/{uid}/friends",
    input: () => z.strictObject({ accepted: someIds() }),
    answer: () => z.looseObject({ accepted: maybe(itemResults()) }),
  },
  /** Lists a user's friends. `perPage` default 100. */
  list: {
    id: "list-all-friends",
    request: "GET /users/{uid}/friends",
    input: () =>
      z.strictObject({
        ...pageFields(),
        /** A uid or a name. */
        searchKey: opt(word()),
      }),
    paged: "page",
    answer: userAnswer,
  },
  /** Ends friendships. Errors: ERR_NOT_A_FRIEND. */
  remove: {
    id: "remove-friend",
    request: "DELETE /users/{uid}/friends",
    input: () => z.strictObject({ friends: someIds() }),
    answer: acknowledgement,
  },
} as const satisfies Family;
