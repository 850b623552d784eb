import { isRecord } from "../../../base/json.ts";
import { unlessMissing } from "../../../chat/is-code.ts";
import { hasError } from "../../../chat/refusal.ts";
import { rolePermissions } from "../../../chat/resources/permissions.ts";
import { restrictedFeatures } from "../../../chat/resources/restricted-features.ts";
import { roles } from "../../../chat/resources/roles.ts";
import type { Role } from "../../../chat/types/roles.ts";
import { requireSuccesses } from "../item-results.ts";
import { findEach, memberChanges } from "../members.ts";
import { pickFields } from "../pick-fields.ts";
import { resourceKind } from "../resource-kind.ts";
import type { AppApis, Fields, FoundThing, Kind } from "../thing.ts";

export const roleFields = ["name", "description", "metadata", "settings"];

/** `default` exists in every app. */
export const roleKind = resourceKind({
  name: "role",
  callsOf: (chat) => chat.using({ roles }).roles,
  list: (calls, request) => calls.list({ perPage: 1_000 }, request),
  missing: "ERR_ROLE_NOT_FOUND",
  read: (role: Role) => ({
    id: role.role,
    fields: pickFields(role, roleFields),
    // No field says that the platform created it.
    isUntouched: role.role === "default" && role.createdAt !== undefined && role.updatedAt === role.createdAt,
  }),
  toCreate: (id, target) => ({ ...withoutEmptied(target), role: id }),
  toUpdate,
});

/** That a role may not use. */
export const featureKind: Kind = {
  name: "restricted features of the role",
  rules: { restricted: { list: "members" } },
  connect: (apis) => {
    const { chat, request } = apis;
    const find = async (role: string): Promise<FoundThing | undefined> => {
      const listed = await unlessMissing(
        "ERR_ROLE_NOT_FOUND",
        Array.fromAsync(chat.call(restrictedFeatures.list, role, request)),
      );
      const keys = listed?.flatMap(({ key }) => (key === undefined ? [] : [key.replace(/^u\./, "")]));
      return keys && { id: role, fields: keys.length === 0 ? {} : { restricted: keys.toSorted() } };
    };
    const change = async (role: string, target: Fields, before: Fields) => {
      const { added, gone } = memberChanges(target.restricted, before.restricted);
      if (added.length > 0) {
        const input = { featuresToRestrict: added };
        requireSuccesses("features", await chat.call(restrictedFeatures.restrict, role, input, request));
      }
      if (gone.length > 0)
        await chat.call(restrictedFeatures.allow, role, { featuresToAllow: gone }, request);
    };
    return {
      list: async (ids) => findEach(ids === "all" ? await roleIds(apis) : ids, find),
      find,
      create: (role, target) => change(role, target, {}),
      change: (role, target, { fields }) => change(role, target, fields),
    };
  },
};

/**
 * The platform lists existing permissions, and shows a role's values only in its answer to a change
 * (docs/internals/platform/users-and-groups.md#permissions).
 */
export const permissionKind: Kind = {
  name: "permissions of the role",
  rules: {},
  otherRule: { isSilent: true },
  connect: ({ chat, request }) => {
    const find = async (role: string): Promise<FoundThing | undefined> => {
      const there = await unlessMissing("ERR_ROLE_NOT_FOUND", chat.call(roles.get, role, request));
      return there && { id: role, fields: {} };
    };
    const set = async (role: string, target: Fields) => {
      const calls: PermissionCalls = chat.using({ rolePermissions }).rolePermissions;
      const { permissions: _, ...results } = await calls.set(role, { permissions: target }, request);
      requireSuccesses("permissions", readResults(results));
    };
    return { list: async () => [], find, create: set, change: set };
  },
};

/** The client checks the input. */
interface PermissionCalls {
  set(role: string, input: object, options: AppApis["request"]): Promise<Fields>;
}

async function roleIds({ chat, request }: AppApis): Promise<readonly string[]> {
  const found = await Array.fromAsync(chat.call(roles.list, { perPage: 1_000 }, request));
  return found.map(({ role }) => role);
}

/** Clears a field declared empty by its name. */
function toUpdate(target: Fields): Record<string, unknown> {
  const unset = Object.keys(target).filter((name) => isEmptied(target[name]));
  return { ...withoutEmptied(target), ...(unset.length === 0 ? {} : { unset }) };
}

function withoutEmptied(target: Fields): Fields {
  return Object.fromEntries(Object.entries(target).filter(([, value]) => !isEmptied(value)));
}

function isEmptied(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** Beside the values (docs/internals/platform/answers-and-errors.md#results-per-item). */
function readResults(results: Readonly<Record<string, unknown>>): Record<string, { success: boolean }> {
  return Object.fromEntries(
    Object.entries(results).flatMap(([id, result]) =>
      isRecord(result) && ("success" in result || hasError(result))
        ? [[id, { success: result.success === true && !hasError(result) }]]
        : [],
    ),
  );
}
