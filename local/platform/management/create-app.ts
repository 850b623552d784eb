import { addDefaultRole } from "../access/roles.ts";
import { newApiKeyValue } from "../chat/api-keys.ts";
import { addBuiltInModeration } from "../moderation/built-in.ts";
import { addBuiltInReasons } from "../moderation/reasons.ts";
import { putApiKey } from "../store/api-keys.ts";
import { type App, insertApp } from "../store/apps.ts";
import type { Database } from "../store/database.ts";

/**
 * Stores a new app with what every app starts with: one key of each scope and the built-in moderation reasons.
 * New families add what they need at the start here. Keys are generated unless given.
 * @see platform facts: secondary-apis §2 create-app
 */
export function createApp(
  db: Database,
  app: App,
  keys: { fullAccess?: string; authOnly?: string } = {},
): void {
  db.transaction(() => {
    insertApp(db, app);
    const base = { createdAt: app.createdAt, createdBy: "app_system" };
    putApiKey(db, app.appId, {
      ...base,
      apiKey: keys.fullAccess ?? newApiKeyValue(),
      name: "Rest API Key",
      scope: "fullAccess",
    });
    putApiKey(db, app.appId, {
      ...base,
      apiKey: keys.authOnly ?? newApiKeyValue(),
      name: "Auth Key",
      scope: "authOnly",
    });
    addDefaultRole(db, app.appId, app.createdAt);
    addBuiltInModeration(db, app.appId, app.createdAt);
    addBuiltInReasons(db, app.appId, app.createdAt);
  });
}
