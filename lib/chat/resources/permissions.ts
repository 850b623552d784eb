import * as z from "zod/mini";
import { maybe, maybeNumber, maybeText, maybeTexts, record } from "../answers.ts";
import type { Family } from "../operation.ts";

/** Subject and allowed values of a permission. */
const permissionDefinitionAnswer = () =>
  z.looseObject({
    /** For instance `listUsers.mode`. */
    id: z.string(),
    /** `role` or `scope`. */
    type: maybeText(),
    title: maybeText(),
    description: maybeText(),
    /** `string` or `stringArray`. */
    dataType: maybeText(),
    availableValues: maybeTexts(),
    defaultValue: maybe(z.union([z.string(), z.array(z.string())])),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
  });

/** The current values, and one result per permission set. */
const permissionValuesAnswer = () => z.looseObject({ permissions: maybe(record()) });

const valuesInput = () =>
  z.strictObject({
    /** Values by permission id: a text, or a list if `dataType` is stringArray. */
    permissions: z.custom<Record<string, string | string[]>>(
      (value) => z.safeParse(z.record(z.string(), z.union([z.string(), z.array(z.string())])), value).success,
      "an object of texts and lists of texts",
    ),
  });

/**
 * What users of a role may do. See docs/internals/platform/users-and-groups.md#permissions.
 * @example
 * await chat.rolePermissions.set("default", { permissions: { listUsers: "deny" } });
 * await chat.rolePermissions.unset("default", "listUsers"); // back to what the platform has
 */
export const rolePermissions = {
  /** Lists the 28 permissions a role can have. Errors: ERR_ROLE_NOT_FOUND. */
  list: {
    id: "list-role-permissions",
    request: "GET /roles/{role}/permissions",
    paged: "page",
    answer: permissionDefinitionAnswer,
  },
  /** Sets values; the others are unchanged (inferred). Errors: ERR_ROLE_NOT_FOUND. */
  set: {
    id: "set-role-permissions",
    request: "PUT /roles/{role}/permissions",
    input: valuesInput,
    answer: permissionValuesAnswer,
  },
  /** Removes one value. Errors: ERR_ROLE_NOT_FOUND. */
  unset: {
    id: "unset-role-permissions",
    request: "DELETE /roles/{role}/permissions/{permission}",
    answer: permissionValuesAnswer,
  },
} as const satisfies Family;

/**
 * What members of a scope may do in one group. See docs/internals/platform/users-and-groups.md#permissions.
 * @example
 * // Only moderators and admins write in the lobby:
 * await chat.scopePermissions.set("lobby", "participant", { permissions: { sendMessage: "deny" } });
 */
export const scopePermissions = {
  /** Lists the 11 permissions a scope can have. Errors: ERR_GUID_NOT_FOUND. */
  list: {
    id: "list-scope-permissions",
    request: "GET /groups/{guid}/scopes/{scope}/permissions",
    paged: "page",
    answer: permissionDefinitionAnswer,
  },
  /** Sets values; the others are unchanged (inferred). Errors: ERR_GUID_NOT_FOUND. */
  set: {
    id: "set-scope-permissions",
    request: "PUT /groups/{guid}/scopes/{scope}/permissions",
    input: valuesInput,
    answer: permissionValuesAnswer,
  },
  /** Removes one value. Errors: ERR_GUID_NOT_FOUND. */
  unset: {
    id: "unset-scope-permissions",
    request: "DELETE /groups/{guid}/scopes/{scope}/permissions/{permission}",
    answer: permissionValuesAnswer,
  },
} as const satisfies Family;
