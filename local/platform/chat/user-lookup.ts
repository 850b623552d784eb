import { PlatformError, userNotFound } from "../errors/platform-error.ts";
import { changeCursor, pageMeta, type Reply, readPage, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";
import { findBlock } from "../store/relations.ts";
import { selectRelated } from "../store/user-lists.ts";
import { findActiveUser, type User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";

/** Finds the active user that a path parameter names. @throws PlatformError ERR_UID_NOT_FOUND */
export function requireUser(request: AppRequest, parameter = "uid"): User {
  return requireUserByUid(request, request.param(parameter));
}

/** Finds an active user by uid. @throws PlatformError ERR_UID_NOT_FOUND */
export function requireUserByUid(request: AppData, uid: string): User {
  const user = findActiveUser(request, uid.toLowerCase());
  if (user === undefined) throw userNotFound(uid);
  return user;
}

/** Checks that a role exists; `default` always does. @throws PlatformError ERR_ROLE_NOT_FOUND */
export function requireRole(request: AppData, role: string): string {
  if (role !== "default" && getDocument(request, "role", role) === undefined) {
    throw new PlatformError("ERR_ROLE_NOT_FOUND", `The role ${role} does not exist.`);
  }
  return role;
}

/** Answers a page of the users related to one, as that one sees them. */
export function listRelated(request: AppRequest, user: User, relation: "friends" | "blocked"): Reply {
  const page = readPage(request.query);
  const searchKey = request.query.text("searchKey") ?? "";
  const search = searchKey === "" ? undefined : { key: searchKey, fields: ["name", "uid"] };
  const asked = { relation, search, window: page };
  const { users, total } = selectRelated(request, user.uid, asked);
  return reply(
    users.map((other) => ({
      ...showUser(other, { withTags: false, viewerUid: user.uid }),
      ...blockFields(request, user.uid, other.uid),
    })),
    {
      meta: {
        ...pageMeta(page, total, users.length),
        ...changeCursor(users.at(-1)),
      },
    },
  );
}

/**
 * Gives what a user's answer says about blocks between them and the viewer; fields only where there is a block.
 * `hasBlockedMe` comes from the webhooks' user shape, the others from the REST schema.
 * @see docs/platform/users-and-groups.md#shape-of-a-user, docs/platform/events.md#users-in-events
 */
export function blockFields(data: AppData, viewerUid: string, uid: string): JsonObject {
  const byMeAt = findBlock(data, viewerUid, uid);
  const hasBlockedMe = findBlock(data, uid, viewerUid) !== undefined;
  return {
    ...(byMeAt === undefined ? {} : { blockedByMe: true, blockedByMeAt: byMeAt, blockedAt: byMeAt }),
    ...(hasBlockedMe ? { hasBlockedMe: true } : {}),
  };
}
