import type { JsonValue } from "../../base/json-value.ts";
import type { AtLeastOne } from "../../chat/needs.ts";
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

type UserChange = AtLeastOne<ChangedFields>;

interface ChangedFields extends Omit<UserProfile, "metadata"> {
  readonly metadata?: Record<string, unknown>;
}

const textFields = ["name", "avatar", "link", "role", "statusMessage"] as const;

/** Whether the platform keeps omitted fields of the metadata is not documented. */
export function changeOf(found: User, declared: UserProfile): UserChange | undefined {
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
