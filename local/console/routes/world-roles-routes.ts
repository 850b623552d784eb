import type { Hono } from "hono";
import { permissionKind } from "../../platform/access/enforce.ts";
import { rolePermissions } from "../../platform/access/permissions.ts";
import { getDocument } from "../../platform/store/documents.ts";
import type { RolePermission } from "../api/world-roles.ts";
import { appThatExists } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";

/** `GET /api/world/roles/{appId}/{role}`: permissions, which no operation of the platform returns. */
export function addWorldRolesRoutes(app: Hono, { world }: ConsoleContext): void {
  app.get("/api/world/roles/:appId/:role", (context) => {
    const { role } = context.req.param();
    const { appId } = appThatExists(world, context.req.param("appId"));
    const set = getDocument({ db: world.platform.services.db, appId }, permissionKind("role"), role) ?? {};
    const permissions = rolePermissions.map(
      ({ id, isList, values }): RolePermission => ({ id, isList, values, value: toWords(set[id]) }),
    );
    return context.json({ permissions });
  });
}

function toWords(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "";
}
