import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { defineListSubject } from "../define-subject.ts";
import { freeObject } from "../free-object.ts";
import { pickFields } from "../pick-fields.ts";
import { featureKind, permissionKind, roleFields, roleKind } from "./role-kinds.ts";

const whom = z.optional(z.enum(["all", "friendsOnly"]));

/** Limits: docs/internals/platform/users-and-groups.md#roles. */
const roleSchema = z.strictObject({
  role: z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/, "expected 1 to 100 of the characters a-z 0-9 - _")),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string().check(z.maxLength(255))),
  metadata: z.optional(freeObject()),
  settings: z.optional(z.strictObject({ listUsers: whom, sendMessagesTo: whom })),
  /** By id, a text or a list of texts: docs/internals/platform/users-and-groups.md#permissions. */
  permissions: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  /** Keys such as `createGroup`: docs/internals/platform/users-and-groups.md#restricted-features. */
  restricted: z.optional(z.array(z.string().check(z.minLength(1)))),
});

export const rolesSubject = defineListSubject({
  name: "roles",
  list: "roles",
  idField: "role",
  items: z.array(roleSchema).check(z.maxLength(25), noTwoAlike("role", "another role has the same id")),
  kinds: [roleKind, featureKind, permissionKind],
  wanted: ({ role, permissions, restricted, ...fields }) => [
    { kind: roleKind.name, id: role, fields: pickFields(fields, roleFields) },
    ...(restricted === undefined
      ? []
      : [{ kind: featureKind.name, id: role, fields: { restricted: restricted.map(withoutPrefix) } }]),
    ...(permissions === undefined ? [] : [{ kind: permissionKind.name, id: role, fields: permissions }]),
  ],
  write: ({ id, fields }, _facts, found) => ({
    role: id,
    ...fields,
    ...found.get(featureKind.name)?.find((features) => features.id === id)?.fields,
  }),
});

/**
 * Examples write a prefix that the features' table lacks
 * (docs/internals/platform/users-and-groups.md#restricted-features).
 */
function withoutPrefix(key: string): string {
  return key.replace(/^u\./, "");
}
