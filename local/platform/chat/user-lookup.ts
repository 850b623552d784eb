import { userNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import { getDocument } from "../store/documents.ts";
import { findActiveUser, type User } from "../store/users.ts";

/** Finds the active user that a path parameter names. @throws PlatformError ERR_UID_NOT_FOUND */
export function requireUser(request: AppRequest, parameter = "uid"): User {
  return requireUserByUid(request, request.param(parameter));
}

/** Finds an active user by uid. @throws PlatformError ERR_UID_NOT_FOUND */
export function requireUserByUid(request: Pick<AppRequest, "db" | "app">, uid: string): User {
  const user = findActiveUser(request.db, request.app.appId, uid.toLowerCase());
  if (user === undefined) throw userNotFound(uid);
  return user;
}

/** Checks that a role exists; `default` always does. @throws PlatformError ERR_ROLE_NOT_FOUND */
export function requireRole(request: Pick<AppRequest, "db" | "app">, role: string): string {
  if (role !== "default" && getDocument(request.db, request.app.appId, "role", role) === undefined) {
    throw new PlatformError("ERR_ROLE_NOT_FOUND", `The role ${role} does not exist.`);
  }
  return role;
}
