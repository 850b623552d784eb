import { isCode, unlessMissing } from "../../chat/is-code.ts";
import type { FamilyClient } from "../../chat/operation.ts";
import type { users } from "../../chat/resources/users.ts";
import type { User } from "../../chat/types/users.ts";
import { changeOf, type UserProfile } from "./user-profile.ts";

export type UsersApi = Pick<FamilyClient<typeof users>, "create" | "get" | "list" | "update">;

/**
 * `missing`: was not to be created. `hidden`: deactivated
 * (docs/internals/platform/answers-and-errors.md#error-codes).
 */
export type KeptUser = "created" | "changed" | "unchanged" | "missing" | "hidden";

interface KeepUserOptions {
  readonly users: UsersApi;
  /** Default: true. */
  readonly createsUsers?: boolean;
  /** Null if the uid was not listed. Default: it is read. */
  readonly known?: User | null;
}

/** Changes only what differs. May be repeated, also concurrently. */
export async function keepUser(
  uid: string,
  declared: UserProfile,
  { users, createsUsers = true, known }: KeepUserOptions,
): Promise<KeptUser> {
  const found = known === undefined ? await lookUpUser(users, uid) : (known ?? undefined);
  if (found !== undefined) return change(users, found, declared);
  if (!createsUsers) return "missing";
  const { name = uid, ...others } = declared;
  try {
    const user = { uid, name, ...others };
    await users.create(user, { alreadyDone: () => lookUpUser(users, uid) });
    return "created";
  } catch (error) {
    if (!isCode(error, "ERR_UID_ALREADY_EXISTS")) throw error;
  }
  const made = await lookUpUser(users, uid);
  return made === undefined ? "hidden" : change(users, made, declared);
}

export function lookUpUser(users: UsersApi, uid: string): Promise<User | undefined> {
  return unlessMissing("ERR_UID_NOT_FOUND", users.get(uid));
}

async function change(users: UsersApi, found: User, declared: UserProfile): Promise<KeptUser> {
  if (found.deactivatedAt !== undefined) return "hidden";
  const changed = changeOf(found, declared);
  if (changed === undefined) return "unchanged";
  await users.update(found.uid, changed);
  return "changed";
}
