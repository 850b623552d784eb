import { badRequest, groupNotFound, PlatformError, toItemFailure } from "../errors/platform-error.ts";
import { optionalObject } from "../http/fields.ts";
import { type Reply, reply, replyPage } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { putDocument } from "../store/documents.ts";
import { findGroup, memberScopes } from "../store/groups.ts";
import { permissionKind, readPermissions } from "./enforce.ts";
import {
  type PermissionDefinition,
  rolePermissions,
  scopePermissions,
  showDefinition,
} from "./permission-definitions.ts";
import { requirePathRole } from "./roles.ts";

const route = appFamily("docs/platform/users-and-groups.md#permissions");
const setAssumptions = [
  "Permissions are merged with those set before.",
  "An unknown id or value fails alone, with ERR_BAD_REQUEST in its entry.",
];

/** Declares the permissions of roles and of scopes in a group. */
export const permissionRoutes: readonly AppRoute[] = [
  ...routesOf("role", "/roles/{role}/permissions", roleHolder),
  ...routesOf("scope", "/groups/{guid}/scopes/{scope}/permissions", scopeHolder),
];

// Who has permissions: one role, or one scope in one group.
type Holder = {
  type: "role" | "scope";
  id: string;
  /** Ends the acknowledgement "… mapped successfully to". */
  words: string;
  definitions: readonly PermissionDefinition[];
};

function routesOf(type: Holder["type"], path: string, find: (request: AppRequest) => Holder): AppRoute[] {
  return [
    route(`list-${type}-permissions`, `GET ${path}`, (request) => list(request, find(request)), {
      assumptions: ["The values that each permission takes are concluded from its name."],
    }),
    route(`set-${type}-permissions`, `PUT ${path}`, (request) => set(request, find(request)), {
      assumptions: setAssumptions,
    }),
    route(
      `unset-${type}-permissions`,
      `DELETE ${path}/{permission}`,
      (request) => unset(request, find(request)),
      { assumptions: ["Removing a permission that is not set changes nothing; an unknown id is refused."] },
    ),
  ];
}

function roleHolder(request: AppRequest): Holder {
  const { role } = requirePathRole(request);
  return { type: "role", id: role, words: `role ${role}`, definitions: rolePermissions };
}

function scopeHolder(request: AppRequest): Holder {
  const guid = request.param("guid").toLowerCase();
  if (findGroup(request, guid) === undefined) throw groupNotFound(request.param("guid"));
  const scope = memberScopes.find((name) => name === request.param("scope"));
  if (scope === undefined) {
    throw badRequest({ scope: `The scope must be one of: ${memberScopes.join(", ")}.` });
  }
  return {
    type: "scope",
    id: `${guid}/${scope}`,
    words: `scope ${scope} on group ${guid}`,
    definitions: scopePermissions,
  };
}

function list(request: AppRequest, { type, definitions }: Holder): Reply {
  const all = definitions.map((definition) => showDefinition(definition, type, request.app.createdAt));
  return replyPage(request.query, all);
}

function set(request: AppRequest, holder: Holder): Reply {
  const asked = optionalObject(request.body, "permissions");
  if (asked === undefined) throw badRequest({ permissions: "The permissions field is required." });
  const permissions: JsonObject = { ...readPermissions(request, holder.type, holder.id) };
  const results = Object.entries(asked).map(([id, value]) => {
    const definition = holder.definitions.find((known) => known.id === id);
    if (definition === undefined || !isValueOf(definition, value)) {
      const what = definition === undefined ? "does not exist" : "does not take this value";
      return [id, toItemFailure(new PlatformError("ERR_BAD_REQUEST", `The permission ${id} ${what}.`))];
    }
    permissions[id] = value;
    return [
      id,
      {
        success: true,
        message: `Permission with id ${id} have been mapped successfully to ${holder.words}.`,
      },
    ];
  });
  save(request, holder, permissions);
  return reply({ ...Object.fromEntries(results), permissions });
}

function unset(request: AppRequest, holder: Holder): Reply {
  const id = request.param("permission");
  if (!holder.definitions.some((known) => known.id === id)) {
    throw badRequest({ permission: `The permission ${id} does not exist.` });
  }
  const { [id]: _removed, ...permissions } = readPermissions(request, holder.type, holder.id);
  save(request, holder, permissions);
  return reply({ permissions });
}

function save(request: AppRequest, { type, id }: Holder, permissions: JsonObject): void {
  putDocument(request, permissionKind(type), id, permissions);
}

// A list permission also takes one bare value, as the printed example of listMembers.allowedScopes has it.
function isValueOf({ isList, values }: PermissionDefinition, value: unknown): boolean {
  const isKnown = (text: string) => values.length === 0 || values.includes(text);
  if (typeof value === "string") return isKnown(value);
  return isList && isStringArray(value) && value.every(isKnown);
}
