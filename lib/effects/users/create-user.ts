import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { checkCall } from "../../chat/check-call.ts";
import { users } from "../../chat/resources/users.ts";
import type { CreateUserInput } from "../../chat/types/users.ts";
import {
  type Created,
  type CreateOptions,
  checkCreateOptions,
  creatingEffect,
  hasFields,
} from "../creating-effect.ts";
import type { Effect } from "../effect.ts";

/** A user to create. Request tokens from `chat`, because an effect's result is stored. */
export interface NewUser extends Omit<CreateUserInput, "withAuthToken"> {}

/**
 * Creates a user once: the id is then taken. If an earlier attempt may have created the user, one with this
 * id and the same name, avatar, link, role and status message counts as created. Otherwise a taken id is a
 * refusal, or with `ifThere: "take"` is accepted. Limits: see `users.create`. Errors: ERR_UID_ALREADY_EXISTS,
 * ERR_ROLE_NOT_FOUND.
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
