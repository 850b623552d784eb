import { badRequest, limitReached } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import {
  choice,
  optionalObject,
  optionalText,
  optionalTexts,
  requiredId,
  requiredText,
} from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import {
  countDocuments,
  deleteDocument,
  getDocument,
  listDocuments,
  putDocument,
} from "../store/documents.ts";
import { changeRoleOfUsers } from "../store/users.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/users-and-groups.md#roles",
  onBehalfOf: "unsupported",
} as const;

/** Declares the role family. */
export const roleRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-role",
    method: "POST",
    path: "/roles",
    assumptions: [
      "A duplicate role is refused with ERR_BAD_REQUEST.",
      "The role `default` counts towards the 25.",
    ],
    handler: createRole,
  },
  { ...base, operationId: "list-roles", method: "GET", path: "/roles", handler: listRoles },
  { ...base, operationId: "get-role", method: "GET", path: "/roles/{role}", handler: getRole },
  {
    ...base,
    operationId: "update-role",
    input: { needs: { any: ["name", "description", "metadata", "settings", "unset"] } },
    method: "PUT",
    path: "/roles/{role}",
    handler: updateRole,
  },
  {
    ...base,
    operationId: "delete-role",
    method: "DELETE",
    path: "/roles/{role}",
    assumptions: ["Users of a deleted role get the role `default`."],
    handler: deleteRole,
  },
];

/** Stores the role every app starts with. Its description is assumed. */
export function addDefaultRole({ db }: Services, { appId, createdAt }: App): void {
  putDocument(db, appId, roleKind, defaultRole, {
    role: defaultRole,
    name: "Default Role",
    description: "The role of users without another one.",
    createdAt,
    updatedAt: createdAt,
  });
}

/** Finds the role that the path names. @throws PlatformError ERR_ROLE_NOT_FOUND */
export function requirePathRole(request: AppRequest): { role: string; stored: JsonObject } {
  const role = request.param("role").toLowerCase();
  const stored = getDocument(request.db, request.app.appId, roleKind, role);
  if (stored === undefined) {
    throw new PlatformError("ERR_ROLE_NOT_FOUND", `The role ${request.param("role")} does not exist.`);
  }
  return { role, stored };
}

/** Names the kind of role documents. */
export const roleKind = "role";

function createRole(request: AppRequest): Reply {
  const { appId } = request.app;
  const role = requiredId(request.body, "role");
  const name = requiredText(request.body, "name", 100);
  const details = readDetails(request.body);
  if (getDocument(request.db, appId, roleKind, role) !== undefined) {
    throw badRequest({ role: `The role ${role} already exists.` });
  }
  if (countDocuments(request.db, appId, roleKind) >= maxRoles) throw limitReached("roles", maxRoles);
  const stored = { role, name, ...details, createdAt: nowSeconds(request) };
  putDocument(request.db, appId, roleKind, role, stored);
  return reply(stored);
}

function listRoles(request: AppRequest): Reply {
  const roles = listDocuments(request.db, request.app.appId, roleKind);
  const page = readPage(request.query);
  const shown = pageOf(roles, page);
  return reply(shown, { meta: pageMeta(page, roles.length, shown.length) });
}

function getRole(request: AppRequest): Reply {
  return reply(requirePathRole(request).stored);
}

function updateRole(request: AppRequest): Reply {
  const { role, stored } = requirePathRole(request);
  const name = request.body.name === undefined ? {} : { name: requiredText(request.body, "name", 100) };
  const changed: JsonObject = {
    ...stored,
    ...name,
    ...readDetails(request.body),
    updatedAt: nowSeconds(request),
  };
  for (const field of optionalTexts(request.body, "unset") ?? []) {
    if (!unsettable.includes(field)) {
      throw badRequest({ unset: `The unset field may name ${unsettable.join(", ")}.` });
    }
    delete changed[field];
  }
  putDocument(request.db, request.app.appId, roleKind, role, changed);
  return reply(changed);
}

function deleteRole(request: AppRequest): Reply {
  const { role } = requirePathRole(request);
  if (role === defaultRole) {
    throw new PlatformError("ERR_ROLE_DELETE_DENIED", "The role default cannot be deleted.");
  }
  const { appId } = request.app;
  request.db.transaction(() => {
    deleteDocument(request.db, appId, roleKind, role);
    changeRoleOfUsers(request.db, appId, role, defaultRole);
  });
  return acknowledge(`Role ${role} has been deleted successfully.`);
}

function readDetails(body: JsonObject): JsonObject {
  const description = optionalText(body, "description", 255);
  const metadata = optionalObject(body, "metadata");
  const settings = optionalObject(body, "settings");
  if (settings !== undefined) {
    for (const key of ["listUsers", "sendMessagesTo"]) choice(settings, key, ["all", "friendsOnly"]);
  }
  return {
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(settings === undefined ? {} : { settings }),
  };
}

const defaultRole = "default";
const maxRoles = 25;
const unsettable = ["settings", "description", "metadata"];
