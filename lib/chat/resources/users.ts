import * as z from "zod/mini";
import {
  acknowledgement,
  itemResults,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTexts,
} from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  ids,
  link,
  list,
  looseObject,
  metadata,
  opt,
  optional,
  pageFields,
  pageQuery,
  platformId,
  range,
  someIds,
  strictObject,
  tags,
  word,
  words,
  yesNo,
} from "../schema.ts";

// @see docs/internals/platform/users-and-groups.md#shape-of-a-user
export const userFields = {
  uid: word,
  name: maybeText,
  link: maybeText,
  avatar: maybeText,
  metadata: maybeObject,
  /** `available` or `offline`; `online` in moderation examples. */
  status: maybeText,
  statusMessage: maybeText,
  role: maybeText,
  tags: maybeTexts,
  lastActiveAt: maybeNumber,
  createdAt: maybeNumber,
  updatedAt: maybeNumber,
  deactivatedAt: maybeNumber,
  conversationId: maybeText,
  blockedByMe: maybeFlag,
  blockedByMeAt: maybeNumber,
  blockedAt: maybeNumber,
  /** Only after creating with `withAuthToken`. A secret. */
  authToken: maybeText,
};

/** A user. Times are unix seconds. */
export const userAnswer = () => looseObject(userFields);

const profile = () =>
  optional({
    avatar: link,
    link,
    /** Must exist. Default: the role `default`. */
    role: platformId,
    statusMessage: word,
    /** Free JSON; `@private` holds e-mail and phone number for notifications. */
    metadata,
    tags,
  });

/**
 * Users of the app. See docs/internals/platform/users-and-groups.md#users.
 * @example
 * const zoe = await chat.users.create({ uid: "zoe", name: "Zoë", tags: ["new"] });
 * await chat.users.update(zoe.uid, { statusMessage: "Back on Monday" });
 * for await (const user of chat.users.list({ searchKey: "zo" })) console.log(user.name);
 */
export const users = {
  /**
   * Creates a user; with `withAuthToken` the answer also has a login token. Errors: ERR_UID_ALREADY_EXISTS
   * (after an unclear try: done), ERR_ROLE_NOT_FOUND.
   */
  create: {
    id: "create-user",
    request: "POST /users",
    input: () => strictObject({ uid: platformId, name: words(100), ...profile(), withAuthToken: opt(yesNo) }),
    answer: userAnswer,
    rateClass: "core",
  },
  /** Lists users. `status` online is sent as `available`; times are unix seconds. `perPage` default 100. */
  list: {
    id: "list-users",
    request: "GET /users",
    input: () =>
      strictObject({
        ...pageFields(),
        ...optional({
          /** The start of the uid or the name. */
          searchKey: word,
          searchIn: z.array(z.enum(["name", "uid"])),
          status: onlineStatus,
          count: yesNo,
          role: platformId,
          roles: ids,
          tags: list,
          withTags: yesNo,
          onlyDeactivated: yesNo,
          withDeactivated: yesNo,
          createdAt: range,
          updatedAt: range,
        }),
      }),
    csv: ["tags"],
    paged: "page",
    answer: userAnswer,
  },
  /**
   * Reads a user, as seen by the acting user if given. Errors: ERR_UID_NOT_FOUND, also for a deactivated
   * user.
   */
  get: { id: "get-user", request: "GET /users/{uid}", onBehalfOf: "optional", answer: userAnswer },
  /** Changes a user; `unset` clears the given attributes. Errors: ERR_UID_NOT_FOUND, ERR_ROLE_NOT_FOUND. */
  update: {
    id: "update-user",
    request: "PUT /users/{uid}",
    input: () =>
      strictObject({
        name: opt(words(100)),
        ...profile(),
        unset: opt(z.array(z.enum(["avatar", "link", "metadata"]))),
      }),
    answer: userAnswer,
  },
  /**
   * Deactivates a user; `permanent` irrevocably deletes the user, messages and conversations. Errors:
   * ERR_UID_NOT_FOUND (after an unclear try: done).
   */
  delete: {
    id: "delete-user",
    request: "DELETE /users/{uid}",
    input: () => strictObject({ permanent: opt(yesNo) }),
    answer: acknowledgement,
    rateClass: "core",
  },
  /** Deactivates users: they can no longer log in and are not found. Answers the deactivated ones. */
  deactivate: {
    id: "deactivate-users",
    request: "DELETE /users",
    input: () => strictObject({ uidsToDeactivate: someIds }),
    answer: () => looseObject({ deactivatedUids: maybeTexts, message: maybeText }),
  },
  /** Reactivates users. Answers those that were not deactivated. */
  reactivate: {
    id: "reactivate-users",
    request: "PUT /users",
    input: () => strictObject({ uidsToActivate: someIds }),
    answer: () => looseObject({ nonDeactivatedUids: maybeTexts, message: maybeText }),
  },
} as const satisfies Family;

function onlineStatus() {
  return z.pipe(
    z.enum(["available", "offline", "online"]),
    z.transform((status) => (status === "online" ? "available" : status)),
  );
}

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
    input: () => strictObject({ accepted: someIds }),
    answer: () => looseObject({ accepted: maybe(itemResults) }),
  },
  /** Lists a user's friends. `perPage` default 100. */
  list: {
    id: "list-all-friends",
    request: "GET /users/{uid}/friends",
    input: () =>
      strictObject({
        ...pageFields(),
        /** A uid or a name. */
        searchKey: opt(word),
      }),
    paged: "page",
    answer: userAnswer,
  },
  /** Ends friendships. Errors: ERR_NOT_A_FRIEND. */
  remove: {
    id: "remove-friend",
    request: "DELETE /users/{uid}/friends",
    input: () => strictObject({ friends: someIds }),
    answer: acknowledgement,
  },
} as const satisfies Family;

const blockedUids = () => strictObject({ blockedUids: someIds });

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
