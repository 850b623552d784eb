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
import type { AppCall, AppRoute } from "../http/route.ts";
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

const base = { fidelity: "documented", source: "docs/platform/users-and-groups.md#roles", onBehalfOf: "unsupported" } as const;

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
  { ...base, operationId: "update-role", method: "PUT", path: "/roles/{role}", handler: updateRole },
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
export function requirePathRole(call: AppCall): { role: string; stored: JsonObject } {
  const role = call.param("role").toLowerCase();
  const stored = getDocument(call.db, call.app.appId, roleKind, role);
  if (stored === undefined) {
    throw new PlatformError("ERR_ROLE_NOT_FOUND", `The role ${call.param("role")} does not exist.`);
  }
  return { role, stored };
}

/** Names the kind of role documents. */
export const roleKind = "role";

function createRole(call: AppCall): Reply {
  const { appId } = call.app;
  const role = requiredId(call.body, "role");
  const name = requiredText(call.body, "name", 100);
  const details = readDetails(call.body);
  if (getDocument(call.db, appId, roleKind, role) !== undefined) {
    throw badRequest({ role: `The role ${role} already exists.` });
  }
  if (countDocuments(call.db, appId, roleKind) >= maxRoles) throw limitReached("roles", maxRoles);
  const stored = { role, name, ...details, createdAt: nowSeconds(call) };
  putDocument(call.db, appId, roleKind, role, stored);
  return reply(stored);
}

function listRoles(call: AppCall): Reply {
  const roles = listDocuments(call.db, call.app.appId, roleKind);
  const page = readPage(call.query);
  const shown = pageOf(roles, page);
  return reply(shown, { meta: pageMeta(page, roles.length, shown.length) });
}

function getRole(call: AppCall): Reply {
  return reply(requirePathRole(call).stored);
}

function updateRole(call: AppCall): Reply {
  const { role, stored } = requirePathRole(call);
  const name = call.body.name === undefined ? {} : { name: requiredText(call.body, "name", 100) };
  const changed: JsonObject = {
    ...stored,
    ...name,
    ...readDetails(call.body),
    updatedAt: nowSeconds(call),
  };
  for (const field of optionalTexts(call.body, "unset") ?? []) {
    if (!unsettable.includes(field)) {
      throw badRequest({ unset: `The unset field may name ${unsettable.join(", ")}.` });
    }
    delete changed[field];
  }
  putDocument(call.db, call.app.appId, roleKind, role, changed);
  return reply(changed);
}

function deleteRole(call: AppCall): Reply {
  const { role } = requirePathRole(call);
  if (role === defaultRole) {
    throw new PlatformError("ERR_ROLE_DELETE_DENIED", "The role default cannot be deleted.");
  }
  const { appId } = call.app;
  call.db.transaction(() => {
    deleteDocument(call.db, appId, roleKind, role);
    changeRoleOfUsers(call.db, appId, role, defaultRole);
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
