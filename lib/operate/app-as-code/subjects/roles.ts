import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/config-fields.ts";
import { isRecord } from "../../../base/json.ts";
import { unlessMissing } from "../../../chat/is-code.ts";
import { hasError } from "../../../chat/judge-answer.ts";
import { restrictedFeatures, rolePermissions, roles } from "../../../chat/resources/roles.ts";
import { opt, strictObject, textOrTexts, words } from "../../../chat/schema.ts";
import type { RolePermissionsClient } from "../../../chat/types/role-permissions.ts";
import { defineListSubject } from "../define-subject.ts";
import {
  type FoundResource,
  findEach,
  freeObject,
  type Kind,
  memberChanges,
  pickFields,
  requireSuccesses,
  someText,
  type Unchecked,
  withoutEmpty,
} from "../resource.ts";
import { resourceKind } from "../resource-kind.ts";

/** Limits: docs/internals/platform/users-and-groups.md#roles. */
const roleSchema = strictObject({
  role: z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/, "expected 1 to 100 of the characters a-z 0-9 - _")),
  name: words(100),
  description: opt(z.string().check(z.maxLength(255))),
  metadata: opt(freeObject),
  settings: roles.create.input().shape.settings,
  /** By id, a text or a list of texts (docs/internals/platform/users-and-groups.md#permissions). */
  permissions: opt(z.record(z.string(), textOrTexts())),
  /** Keys such as `createGroup` (docs/internals/platform/users-and-groups.md#restricted-features). */
  restricted: opt(z.array(someText())),
});

const roleFields = ["name", "description", "metadata", "settings"];

/** Every app has the role `default`. */
const roleKind = resourceKind({
  name: "role",
  idField: "role",
  fields: roleFields,
  callsOf: (chat) => chat.using({ roles }).roles,
  list: (calls, request) => calls.list({ perPage: 1_000 }, request),
  missing: "ERR_ROLE_NOT_FOUND",
  // No field marks roles that the platform created.
  isUntouched: ({ role, createdAt, updatedAt }) =>
    role === "default" && createdAt !== undefined && updatedAt === createdAt,
  toInput: (target, found) => {
    const given = withoutEmpty(target);
    const unset = Object.keys(target).filter((name) => !Object.hasOwn(given, name));
    return { ...given, ...(found !== undefined && unset.length > 0 && { unset }) };
  },
});

const featureKind: Kind = {
  name: "restricted features of the role",
  rules: { restricted: { list: "members" } },
  connect: ({ chat, request }) => {
    const listRoles = () =>
      Array.fromAsync(chat.call(roles.list, { perPage: 1_000 }, request), ({ role }) => role);
    const find = async (role: string): Promise<FoundResource | undefined> => {
      const listed = await unlessMissing(
        "ERR_ROLE_NOT_FOUND",
        Array.fromAsync(chat.call(restrictedFeatures.list, role, request)),
      );
      const keys = listed?.flatMap(({ key }) => (key === undefined ? [] : [withoutPrefix(key)]));
      return keys && { id: role, fields: keys.length === 0 ? {} : { restricted: keys.toSorted() } };
    };
    return {
      list: async (ids) => findEach(ids === "all" ? await listRoles() : ids, find),
      find,
      write: async (role, { restricted }, before) => {
        const { added, gone } = memberChanges(restricted, before?.fields.restricted);
        if (added.length > 0) {
          const input = { featuresToRestrict: added };
          requireSuccesses("features", await chat.call(restrictedFeatures.restrict, role, input, request));
        }
        if (gone.length > 0)
          await chat.call(restrictedFeatures.allow, role, { featuresToAllow: gone }, request);
      },
    };
  },
};

/**
 * The platform lists existing permissions, and shows a role's values only in its answer to a change
 * (docs/internals/platform/users-and-groups.md#permissions).
 */
const permissionKind: Kind = {
  name: "permissions of the role",
  otherRule: { isSilent: true },
  connect: ({ chat, request }) => ({
    list: async () => [],
    find: async (role) => {
      const there = await unlessMissing("ERR_ROLE_NOT_FOUND", chat.call(roles.get, role, request));
      return there && { id: role, fields: {} };
    },
    write: async (role, permissions) => {
      const calls: Unchecked<RolePermissionsClient> = chat.using({ rolePermissions }).rolePermissions;
      const { permissions: _, ...results } = await calls.set(role, { permissions }, request);
      requireSuccesses("permissions", readResults(results));
    },
  }),
};

/**
 * Reads what the answer has besides the values
 * (docs/internals/platform/answers-and-errors.md#results-per-item).
 */
function readResults(results: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(results).flatMap(([id, result]) =>
      isRecord(result) && ("success" in result || hasError(result))
        ? [[id, { success: result.success === true && !hasError(result) }]]
        : [],
    ),
  );
}

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
 * Examples have a prefix that the features' table lacks
 * (docs/internals/platform/users-and-groups.md#restricted-features).
 */
function withoutPrefix(key: string) {
  return key.replace(/^u\./, "");
}
