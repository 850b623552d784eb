import * as z from "zod/mini";
import {
  acknowledgement,
  itemResults,
  maybe,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTexts,
  record,
} from "../answers.ts";
import type { AtLeastOne } from "../needs.ts";
import type { Family } from "../operation.ts";
import {
  json,
  list,
  looseObject,
  opt,
  optional,
  pageQuery,
  platformId,
  type Schema,
  strictObject,
  textOrTexts,
  typedInput,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** A role of users. Times are unix seconds. */
const roleAnswer = () =>
  looseObject({
    role: word,
    name: maybeText,
    description: maybeText,
    metadata: maybeObject,
    /** `listUsers` and `sendMessagesTo`: all or friendsOnly. */
    settings: maybeObject,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
  });

const settings = () =>
  strictObject(
    optional({
      listUsers: z.enum(["all", "friendsOnly"]),
      sendMessagesTo: z.enum(["all", "friendsOnly"]),
    }),
  );

const profile = () => optional({ description: words(255), metadata: json, settings });

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
    input: () => strictObject({ role: platformId, name: words(100), ...profile() }),
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
      strictObject({
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

const allowedFeatures = () =>
  strictObject({ featuresToAllow: opt(list), allowAll: opt(yesNo) }).check(
    z.refine(
      (value) => value.allowAll === true || (value.featuresToAllow?.length ?? 0) > 0,
      "either featuresToAllow or allowAll",
    ),
  );

type AllowedFeatures = z.input<ReturnType<typeof allowedFeatures>>;

/**
 * Features a role may not use; keys as in `u.listUsers`, the prefix is from examples.
 * @see docs/internals/platform/users-and-groups.md#restricted-features
 * @example
 * await chat.restrictedFeatures.restrict("default", { featuresToRestrict: ["createGroup"] });
 * for await (const { key } of chat.restrictedFeatures.list("default")) console.log(key);
 */
export const restrictedFeatures = {
  /**
   * Forbids features to a role; check each key's `success`. Errors: ERR_ROLE_NOT_FOUND. Harmless if repeated.
   */
  restrict: {
    id: "restrict-features",
    request: "POST /roles/{role}/restrictedfeatures",
    input: () => strictObject({ featuresToRestrict: list }),
    answer: itemResults,
  },
  /** Lists what a role may not use. Errors: ERR_ROLE_NOT_FOUND. */
  list: {
    id: "get-restrictedfeatures",
    request: "GET /roles/{role}/restrictedfeatures",
    paged: "page",
    answer: () =>
      looseObject({
        key: maybeText,
        title: maybeText,
        description: maybeText,
        path: maybeText,
        createdAt: maybeNumber,
      }),
  },
  /** Allows features again: the given ones, or with `allowAll` all. Errors: ERR_ROLE_NOT_FOUND. */
  allow: {
    id: "allow-features",
    request: "DELETE /roles/{role}/restrictedfeatures",
    input: (): Schema<AllowedFeatures, AtLeastOne<AllowedFeatures>> => typedInput(allowedFeatures()),
    answer: acknowledgement,
  },
} as const satisfies Family;

/** Subject and allowed values of a permission. */
const permissionDefinitionAnswer = () =>
  looseObject({
    /** For instance `listUsers.mode`. */
    id: word,
    /** `role` or `scope`. */
    type: maybeText,
    title: maybeText,
    description: maybeText,
    /** `string` or `stringArray`. */
    dataType: maybeText,
    availableValues: maybeTexts,
    defaultValue: maybe(textOrTexts),
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
  });

/** The current values, and one result per permission set. */
const permissionValuesAnswer = () => looseObject({ permissions: maybe(record) });

const valuesInput = () =>
  strictObject({
    /** Values by permission id: a text, or a list if `dataType` is stringArray. */
    permissions: z.custom<Record<string, string | string[]>>(
      (value) => z.safeParse(z.record(word(), textOrTexts()), value).success,
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
