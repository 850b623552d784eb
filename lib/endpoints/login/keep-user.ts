import type { JsonValue } from "../../base/json-value.ts";
import { isCode, unlessMissing } from "../../chat/is-code.ts";
import type { AtLeastOne } from "../../chat/needs.ts";
import type { FamilyClient } from "../../chat/operation.ts";
import type { users } from "../../chat/resources/users.ts";
import type { User } from "../../chat/types/users.ts";

/** Absent fields are not changed. */
export interface UserProfile {
  readonly name?: string | undefined;
  readonly avatar?: string | undefined;
  readonly link?: string | undefined;
  readonly role?: string | undefined;
  readonly statusMessage?: string | undefined;
  /** Other fields stay. */
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
}

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
  readonly known?: User | null | undefined;
  /** Changes nothing. Default: false. */
  readonly isRehearsal?: boolean;
}

/** Changes only what differs. May be repeated, also concurrently. */
export async function keepUser(
  uid: string,
  declared: UserProfile,
  { users, createsUsers = true, known, isRehearsal = false }: KeepUserOptions,
): Promise<KeptUser> {
  const change = async (there: User) => {
    if (there.deactivatedAt) return "hidden";
    const changed = changeOf(there, declared);
    if (changed === undefined) return "unchanged";
    if (!isRehearsal) await users.update(there.uid, changed);
    return "changed";
  };
  // Metadata is sent whole: a list's copy would undo later changes.
  const isOutdated = known && changeOf(known, declared)?.metadata !== undefined;
  const read = known === undefined || isOutdated ? await lookUpUser(users, uid) : undefined;
  const found = read ?? known;
  if (found) return change(found);
  if (!createsUsers) return "missing";
  if (isRehearsal) return "created";
  const { name = uid, ...others } = declared;
  try {
    const user = { uid, name, ...others };
    await users.create(user, { alreadyDone: () => lookUpUser(users, uid) });
    return "created";
  } catch (error) {
    if (!isCode(error, "ERR_UID_ALREADY_EXISTS")) throw error;
  }
  const made = await lookUpUser(users, uid);
  return made === undefined ? "hidden" : change(made);
}

function lookUpUser(users: UsersApi, uid: string) {
  return unlessMissing("ERR_UID_NOT_FOUND", users.get(uid));
}

type UserChange = AtLeastOne<ChangedFields>;

interface ChangedFields extends Omit<UserProfile, "metadata"> {
  readonly metadata?: Record<string, unknown>;
}

const textFields = ["name", "avatar", "link", "role", "statusMessage"] as const;

/** Whether the platform keeps omitted fields of the metadata is not documented. */
function changeOf(found: User, declared: UserProfile) {
  const texts = textFields.flatMap((field) => {
    const text = declared[field];
    return text === undefined || text === (found[field] ?? "") ? [] : [[field, text] as const];
  });
  const { isDeepStrictEqual } = process.getBuiltinModule("node:util");
  const known = found.metadata ?? {};
  const facts = Object.entries(declared.metadata ?? {});
  const isChanged = facts.some(
    ([field, fact]) => !Object.hasOwn(known, field) || !isDeepStrictEqual(known[field], fact),
  );
  const changed: ChangedFields = {
    ...Object.fromEntries(texts),
    ...(isChanged && { metadata: { ...known, ...declared.metadata } }),
  };
  return isChange(changed) ? changed : undefined;
}

function isChange(fields: ChangedFields): fields is UserChange {
  return Object.keys(fields).length > 0;
}
