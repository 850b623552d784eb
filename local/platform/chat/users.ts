import { badRequest } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import {
  optionalFlag,
  optionalObject,
  optionalTags,
  optionalText,
  optionalTexts,
  requiredId,
  requiredText,
} from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { eraseUserTraces } from "../store/erase-user.ts";
import { deleteUserRow, findUser, putUser, type User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { issueToken } from "./auth-token-issue.ts";
import { listUsers } from "./user-list.ts";
import { requireRole, requireUser } from "./user-lookup.ts";
import { blockFields } from "./user-relations.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/users-and-groups.md#users",
  onBehalfOf: "unsupported",
} as const;

const userShape = {
  withAuthToken: "boolean",
  metadata: { "@private": { email: "string", contactNumber: "string" } },
} as const;
const changeable = ["name", "avatar", "link", "role", "statusMessage", "metadata", "tags", "unset"] as const;

/** Declares the user family. */
export const userRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-user",
    input: { body: userShape },
    method: "POST",
    path: "/users",
    allowsAuthOnly: true,
    handler: createUser,
  },
  {
    ...base,
    operationId: "list-users",
    method: "GET",
    path: "/users",
    assumptions: ["Ordered by uid.", "`count=true` answers {count} alone.", "Any of several tags is enough."],
    handler: listUsers,
  },
  {
    ...base,
    operationId: "reactivate-users",
    input: { needs: { items: ["uidsToActivate"] } },
    method: "PUT",
    path: "/users",
    handler: reactivateUsers,
  },
  {
    ...base,
    operationId: "deactivate-users",
    input: { needs: { items: ["uidsToDeactivate"] } },
    method: "DELETE",
    path: "/users",
    handler: deactivateUsers,
  },
  {
    ...base,
    operationId: "get-user",
    method: "GET",
    path: "/users/{uid}",
    onBehalfOf: "optional",
    handler: getUser,
  },
  {
    ...base,
    operationId: "update-user",
    input: { body: userShape, needs: { any: changeable } },
    method: "PUT",
    path: "/users/{uid}",
    handler: updateUser,
  },
  {
    ...base,
    operationId: "delete-user",
    method: "DELETE",
    path: "/users/{uid}",
    assumptions: ["Without `permanent` the user's messages stay; the user is gone either way."],
    handler: deleteUser,
  },
];

function createUser(request: AppRequest): Reply {
  if (request.apiKey.scope === "authOnly" && !request.switches.authOnlyCreatesUsers) {
    throw new PlatformError("AUTH_ERR_NO_ACCESS", `The key ${request.apiKey.apiKey} may not create users.`);
  }
  const uid = requiredId(request.body, "uid");
  const name = requiredText(request.body, "name", 100);
  const role = requireRole(request, optionalText(request.body, "role") ?? "default");
  if (findUser(request.db, request.app.appId, uid) !== undefined) {
    throw new PlatformError(
      "ERR_UID_ALREADY_EXISTS",
      `The UID ${uid} already exists, please use a different UID.`,
      {
        status: request.switches.duplicateIdStatus,
      },
    );
  }
  const user: User = {
    uid,
    name,
    status: "offline",
    role,
    createdAt: nowSeconds(request),
    ...readProfile(request.body),
  };
  putUser(request.db, request.app.appId, user);
  const withToken = optionalFlag(request.body, "withAuthToken") === true;
  return reply({
    ...showUser(user),
    ...(withToken ? { authToken: issueToken(request, uid).authToken } : {}),
  });
}

function getUser(request: AppRequest): Reply {
  const user = requireUser(request);
  return reply({
    ...showUser(user, { viewerUid: request.actor?.uid }),
    ...(request.actor === undefined ? {} : blockFields(request.db, request.app, request.actor.uid, user.uid)),
  });
}

function updateUser(request: AppRequest): Reply {
  const user = requireUser(request);
  const changed: User = { ...user, ...readProfile(request.body), updatedAt: nowSeconds(request) };
  if (request.body.name !== undefined) changed.name = requiredText(request.body, "name", 100);
  const role = optionalText(request.body, "role");
  if (role !== undefined) changed.role = requireRole(request, role);
  for (const field of optionalTexts(request.body, "unset") ?? []) {
    if (field !== "avatar" && field !== "link" && field !== "metadata") {
      throw badRequest({ unset: "The unset field may name avatar, link and metadata." });
    }
    delete changed[field];
  }
  putUser(request.db, request.app.appId, changed);
  return reply(showUser(changed));
}

function deleteUser(request: AppRequest): Reply {
  const uid = request.param("uid").toLowerCase();
  if (findUser(request.db, request.app.appId, uid) === undefined) requireUser(request);
  const permanent = optionalFlag(request.body, "permanent") === true;
  request.db.transaction(() => {
    eraseUserTraces(request.db, request.app.appId, uid, { permanent });
    deleteUserRow(request.db, request.app.appId, uid);
  });
  return acknowledge(`User with ${uid} has been deleted successfully.`);
}

function deactivateUsers(request: AppRequest): Reply {
  const uids = optionalTexts(request.body, "uidsToDeactivate") ?? [];
  const at = nowSeconds(request);
  const deactivatedUids = uids.filter((uid) => {
    const user = findUser(request.db, request.app.appId, uid.toLowerCase());
    if (user === undefined || user.deactivatedAt !== undefined) return false;
    putUser(request.db, request.app.appId, { ...user, deactivatedAt: at });
    return true;
  });
  return reply({ deactivatedUids });
}

function reactivateUsers(request: AppRequest): Reply {
  const uids = optionalTexts(request.body, "uidsToActivate") ?? [];
  const nonDeactivatedUids = uids.filter((uid) => {
    const user = findUser(request.db, request.app.appId, uid.toLowerCase());
    if (user?.deactivatedAt === undefined) return true;
    const { deactivatedAt: _deactivatedAt, ...active } = user;
    putUser(request.db, request.app.appId, active);
    return false;
  });
  return reply({ nonDeactivatedUids });
}

function readProfile(body: JsonObject): Partial<User> {
  const avatar = optionalText(body, "avatar", 3_000);
  const link = optionalText(body, "link", 3_000);
  const statusMessage = optionalText(body, "statusMessage");
  const metadata = optionalObject(body, "metadata");
  const tags = optionalTags(body);
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw badRequest({ metadata: "The metadata may not be greater than 5 KB." });
  }
  return {
    ...(avatar === undefined ? {} : { avatar }),
    ...(link === undefined ? {} : { link }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(tags === undefined ? {} : { tags }),
  };
}

// 5 KB (docs/platform/ids-and-limits.md#size-of-metadata)
const maxMetadataBytes = 5 * 1_024;
