import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { absentSchema, notBoth } from "../declared-absent.ts";
import { defineSubject } from "../define-subject.ts";
import { pickFields } from "../pick-fields.ts";
import type { Kind } from "../thing.ts";
import { featureKind, permissionKind, roleFields, roleKind } from "./role-kinds.ts";

const whom = z.optional(z.enum(["all", "friendsOnly"]));

/** Limits: docs/internals/platform/users-and-groups.md#roles. */
const roleSchema = z.strictObject({
  role: z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/, "expected 1 to 100 of the characters a-z 0-9 - _")),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string().check(z.maxLength(255))),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  settings: z.optional(z.strictObject({ listUsers: whom, sendMessagesTo: whom })),
  /** By id, a text or a list of texts: docs/internals/platform/users-and-groups.md#permissions. */
  permissions: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  /** Keys such as `createGroup`: docs/internals/platform/users-and-groups.md#restricted-features. */
  restricted: z.optional(z.array(z.string().check(z.minLength(1)))),
});

const fileSchema = z
  .strictObject({
    roles: z.array(roleSchema).check(z.maxLength(25), noTwoAlike("role", "another role has the same id")),
    absent: absentSchema,
  })
  .check(notBoth("roles", "role"));

const kinds: readonly Kind[] = [roleKind, featureKind, permissionKind];

/** The roles of users, their permissions and restrictions. */
export const rolesSubject = defineSubject({
  name: "roles",
  schema: fileSchema,
  kinds,
  wanted: ({ roles }) =>
    roles.flatMap(({ role, permissions, restricted, ...fields }) => [
      { kind: roleKind.name, id: role, fields: pickFields(fields, roleFields) },
      ...(restricted === undefined
        ? []
        : [{ kind: featureKind.name, id: role, fields: { restricted: restricted.map(withoutPrefix) } }]),
      ...(permissions === undefined ? [] : [{ kind: permissionKind.name, id: role, fields: permissions }]),
    ]),
  absent: ({ absent = [] }) => absent.map((id) => ({ kind: roleKind.name, id })),
  write: (found) => {
    const features = new Map((found.get(featureKind.name) ?? []).map(({ id, fields }) => [id, fields]));
    const roles = (found.get(roleKind.name) ?? []).map(({ id, fields }) => ({
      role: id,
      ...fields,
      ...features.get(id),
    }));
    return { roles };
  },
});

/**
 * Examples write features with a prefix that their table lacks
 * (docs/internals/platform/users-and-groups.md#restricted-features).
 */
function withoutPrefix(key: string): string {
  return key.replace(/^u\./, "");
}
