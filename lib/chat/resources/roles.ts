import * as z from "zod/mini";
import { acknowledgement, maybeNumber, maybeObject, maybeText } from "../answers.ts";
import { json, opt, optional, pageQuery, platformId, words } from "../fields.ts";
import type { Family } from "../operation.ts";

/** A role of users. Times are unix seconds. */
const roleAnswer = () =>
  z.looseObject({
    role: z.string(),
    name: maybeText(),
    description: maybeText(),
    metadata: maybeObject(),
    /** `listUsers` and `sendMessagesTo`: all or friendsOnly. */
    settings: maybeObject(),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
  });

const settings = () =>
  z.strictObject(
    optional({
      listUsers: z.enum(["all", "friendsOnly"]),
      sendMessagesTo: z.enum(["all", "friendsOnly"]),
    }),
  );

const profile = () => optional({ description: words(255), metadata: json(), settings: settings() });

/**
 * Roles of users, at most 25; the role `default` always exists. See
 * docs/internals/platform/users-and-groups.md#roles.
 * @example
 * await chat.roles.create({ role: "manager", name: "Manager" });
 * await chat.users.update("alice", { role: "manager" });
 */
export const roles = {
  /** Creates a role. A duplicate's error is not documented. */
  create: {
    id: "create-role",
    request: "POST /roles",
    input: () => z.strictObject({ role: platformId(), name: words(100), ...profile() }),
    answer: roleAnswer,
  },
  /** Lists roles. `perPage` default 100. */
  list: { id: "list-roles", request: "GET /roles", input: pageQuery, paged: "page", answer: roleAnswer },
  /** Reads a role. Errors: ERR_ROLE_NOT_FOUND. */
  get: { id: "get-role", request: "GET /roles/{role}", answer: roleAnswer },
  /** Changes a role; `unset` clears the given attributes. Errors: ERR_ROLE_NOT_FOUND. */
  update: {
    id: "update-role",
    request: "PUT /roles/{role}",
    input: () =>
      z.strictObject({
        name: opt(words(100)),
        ...profile(),
        unset: opt(z.array(z.enum(["settings", "description", "metadata"]))),
      }),
    answer: roleAnswer,
  },
  /**
   * Deletes a role. Errors: ERR_ROLE_NOT_FOUND (after an unclear try: done), ERR_ROLE_DELETE_DENIED for
   * `default`.
   */
  delete: { id: "delete-role", request: "DELETE /roles/{role}", answer: acknowledgement },
} as const satisfies Family;
