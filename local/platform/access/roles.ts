import { badRequest, limitReached, PlatformError } from "../errors/platform-error.ts";
import {
  choice,
  optionalObject,
  optionalText,
  optionalTexts,
  requiredId,
  requiredText,
} from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyPage } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  countDocuments,
  deleteDocument,
  getDocument,
  listDocuments,
  putDocument,
} from "../store/documents.ts";
import { changeRoleOfUsers } from "../store/users.ts";

const route = appFamily("docs/platform/users-and-groups.md#roles");

/** Declares the role family. */
export const roleRoutes: readonly AppRoute[] = [
  route("create-role", "POST /roles", createRole, {
    assumptions: [
      "A duplicate role is refused with ERR_BAD_REQUEST.",
      "The role `default` counts towards the 25.",
    ],
  }),
  route("list-roles", "GET /roles", listRoles),
  route("get-role", "GET /roles/{role}", getRole),
  route("update-role", "PUT /roles/{role}", updateRole, {
    input: { needs: { any: ["name", "description", "metadata", "settings", "unset"] } },
  }),
  route("delete-role", "DELETE /roles/{role}", deleteRole, {
    assumptions: ["Users of a deleted role get the role `default`."],
  }),
];

/** Stores the role every app starts with. Its description is assumed. */
export function addDefaultRole(services: AppServices): void {
  const { createdAt } = services.app;
  putDocument(services, roleKind, defaultRole, {
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
  const stored = getDocument(request, roleKind, role);
  if (stored === undefined) {
    throw new PlatformError("ERR_ROLE_NOT_FOUND", `The role ${request.param("role")} does not exist.`);
  }
  return { role, stored };
}

/** Names the kind of role documents. */
export const roleKind = "role";

function createRole(request: AppRequest): Reply {
  const role = requiredId(request.body, "role");
  const name = requiredText(request.body, "name", 100);
  const details = readDetails(request.body);
  if (getDocument(request, roleKind, role) !== undefined) {
    throw badRequest({ role: `The role ${role} already exists.` });
  }
  if (countDocuments(request, roleKind) >= maxRoles) throw limitReached("roles", maxRoles);
  const stored = { role, name, ...details, createdAt: nowSeconds(request) };
  putDocument(request, roleKind, role, stored);
  return reply(stored);
}

function listRoles(request: AppRequest): Reply {
  const roles = listDocuments(request, roleKind);
  return replyPage(request.query, roles);
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
  putDocument(request, roleKind, role, changed);
  return reply(changed);
}

function deleteRole(request: AppRequest): Reply {
  const { role } = requirePathRole(request);
  if (role === defaultRole) {
    throw new PlatformError("ERR_ROLE_DELETE_DENIED", "The role default cannot be deleted.");
  }
  request.db.transaction(() => {
    deleteDocument(request, roleKind, role);
    changeRoleOfUsers(request, role, defaultRole);
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
  return defined({ description, metadata, settings });
}

const defaultRole = "default";
const maxRoles = 25;
const unsettable = ["settings", "description", "metadata"];
