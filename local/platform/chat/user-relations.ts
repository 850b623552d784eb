import type { JsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { findBlock } from "../store/relations.ts";

/**
 * Gives what a user's answer says about blocks between them and the viewer; fields only where there is a block.
 * `hasBlockedMe` comes from the webhooks' user shape, the others from the REST schema.
 * @see docs/platform/users-and-groups.md#shape-of-a-user, docs/platform/events.md#users-in-events
 */
export function blockFields(db: Database, app: App, viewerUid: string, uid: string): JsonObject {
  const byMeAt = findBlock(db, app.appId, viewerUid, uid);
  const hasBlockedMe = findBlock(db, app.appId, uid, viewerUid) !== undefined;
  return {
    ...(byMeAt === undefined ? {} : { blockedByMe: true, blockedByMeAt: byMeAt, blockedAt: byMeAt }),
    ...(hasBlockedMe ? { hasBlockedMe: true } : {}),
  };
}
