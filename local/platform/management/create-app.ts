import { newApiKeyValue } from "../chat/api-keys.ts";
import type { Services } from "../services/services.ts";
import { putApiKey } from "../store/api-keys.ts";
import { type App, insertApp } from "../store/apps.ts";

/**
 * Stores a new app with one key of each scope and says so; families that listen add what every app starts with. Keys
 * are generated unless given.
 * @see docs/platform/management.md#apps
 */
export function createApp(
  services: Pick<Services, "db" | "announce">,
  app: App,
  keys: { fullAccess?: string; authOnly?: string } = {},
): void {
  const { db } = services;
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
    services.announce(app, "appCreated", {});
  });
}
