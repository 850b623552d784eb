import * as z from "zod/mini";
import { lazy } from "../base/lazy.ts";
import { checkCall } from "../chat/check-call.ts";
import { groups } from "../chat/resources/groups.ts";
import { blockedUsers, users } from "../chat/resources/users.ts";
import type { CreateGroupInput } from "../chat/types/groups.ts";
import type { CreateUserInput } from "../chat/types/users.ts";
import type { Effect } from "./effect.ts";
import {
  type Created,
  type CreateOptions,
  checkCreateOptions,
  checkEffect,
  creatingEffect,
  hasFields,
  type ItemOutcomes,
  orReadBack,
  readOutcomes,
  repeatableEffect,
} from "./effect-builders.ts";

/** A user to create. Request tokens from `chat`: an effect's result is stored. */
export interface NewUser extends Omit<CreateUserInput, "withAuthToken"> {}

/**
 * Creates a user once: the id is then taken. After an unclear attempt, a user with this id and the same name,
 * avatar, link, role and status message counts as created. Otherwise a taken id is a refusal, or accepted
 * with `ifThere: "take"`. Limits: see `users.create`. Errors: ERR_UID_ALREADY_EXISTS, ERR_ROLE_NOT_FOUND.
 * @see docs/internals/platform/users-and-groups.md#users
 */
export function createUser(user: NewUser, options: CreateOptions = {}): Effect<Created> {
  checkCall("createUser", "user", newUserSchema(), user);
  checkCreateOptions("createUser", options);
  const { uid, name, avatar, link, role, statusMessage } = user;
  return creatingEffect(
    {
      kind: users.create.id,
      id: uid,
      takenCode: "ERR_UID_ALREADY_EXISTS",
      create: (call, limits) => call(users.create, user, limits),
      isSame: async (call, limits) =>
        hasFields(await call(users.get, uid, limits), { name, avatar, link, role, statusMessage }),
    },
    options,
  );
}

const newUserSchema = /* @__PURE__ */ lazy(() => z.omit(users.create.input(), { withAuthToken: true }));

export interface NewGroup extends CreateGroupInput {
  /** uid of the creator, who owns the group unless `owner` is set. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Creates a group once: its id is then taken. After an unclear attempt, a group with this id and the same
 * name, type, icon, description and owner counts as created. Otherwise a taken id is a refusal, or accepted
 * with `ifThere: "take"`. A member who cannot be added does not fail the effect. Limits: see `groups.create`.
 * Errors: ERR_GUID_ALREADY_EXISTS, ERR_EMPTY_GROUP_PASS.
 * @see docs/internals/platform/users-and-groups.md#groups
 */
export function createGroup(created: NewGroup, options: CreateOptions = {}): Effect<Created> {
  checkCall("createGroup", "group", newGroupSchema(), created);
  checkCreateOptions("createGroup", options);
  const { onBehalfOf, ...group } = created;
  const { guid, name, type, icon, description, owner } = group;
  return creatingEffect(
    {
      kind: groups.create.id,
      id: guid,
      takenCode: "ERR_GUID_ALREADY_EXISTS",
      create: (call, limits) => call(groups.create, group, { onBehalfOf, ...limits }),
      isSame: async (call, limits) =>
        hasFields(await call(groups.get, guid, limits), {
          name,
          type,
          icon,
          description,
          // The platform converts ids to lower case (docs/internals/platform/ids-and-limits.md#chosen-ids).
          owner: owner?.toLowerCase(),
        }),
    },
    options,
  );
}

const newGroupSchema = /* @__PURE__ */ lazy(() =>
  z.extend(groups.create.input(), { onBehalfOf: z.optional(z.string()) }),
);

export interface Blocking {
  readonly uid: string;
  /** At least one. */
  readonly blockedUids: readonly string[];
}

/**
 * Blocks users for a user and returns each one's outcome: a refused one (`ERR_UID_NOT_FOUND`,
 * `ERR_CANNOT_BLOCK_SELF`) fails neither the others nor the effect. Repeatable. Errors: ERR_UID_NOT_FOUND.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function blockUsers(blocking: Blocking): Effect<ItemOutcomes> {
  return blockingEffect("blockUsers", true, blocking);
}

/**
 * Unblocks users for a user, with outcomes as for blocking. Repeatable. Errors: ERR_UID_NOT_FOUND.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function unblockUsers(blocking: Blocking): Effect<ItemOutcomes> {
  return blockingEffect("unblockUsers", false, blocking);
}

function blockingEffect(name: string, isBlock: boolean, blocking: Blocking): Effect<ItemOutcomes> {
  checkEffect(name, blocking, { uid: z.string(), blockedUids: z.array(z.string()) });
  const { uid, blockedUids } = blocking;
  const operation = isBlock ? blockedUsers.block : blockedUsers.unblock;
  const uids = [...blockedUids];
  const all = { done: uids, wasSo: [], refused: [] };
  return repeatableEffect<ItemOutcomes>(operation.id, all, async (call, limits, isAgain) => {
    const change = async () => {
      const results = await call(operation, uid, { blockedUids: uids }, limits);
      return readOutcomes(operation, uids, [results], isAgain);
    };
    const areSo = async () => {
      const there = call(blockedUsers.list, uid, { perPage: 1_000 }, limits);
      const blocked = new Set<string>();
      for await (const user of there) blocked.add(user.uid);
      return uids.every((one) => blocked.has(one.toLowerCase()) === isBlock);
    };
    return orReadBack<ItemOutcomes>(change, areSo, all, isAgain);
  });
}
