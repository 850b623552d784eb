import type { Hono } from "hono";
import { activeEngine, listWebhooks } from "../../platform/store/webhooks.ts";
import type { World } from "../../stack/world.ts";
import type { WebhooksAnswer } from "../api/world-webhooks.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";

/** `GET /api/world/webhooks/{appId}`, and `POST /api/world/reconnect`. */
export function addWorldWebhooksRoutes(app: Hono, { world }: ConsoleContext): void {
  app.get("/api/world/webhooks/:appId", (context) => {
    const { appId } = appOf(world, context.req.param("appId"));
    const engine = activeEngine({ db: world.platform.services.db, appId }) === 1 ? "legacy" : "current";
    const problems = appId === world.app.appId ? judge(world, engine) : [];
    return context.json<WebhooksAnswer>({ engine, problems });
  });
  app.post("/api/world/reconnect", async (context) => {
    await world.reconnect();
    return context.json({ success: true });
  });
}

/** The platform's API returns no password, so this compares what is stored. */
function judge({ app, platform, webhook: needed }: World, engine: string): string[] {
  const found = listWebhooks({ db: platform.services.db, appId: app.appId }, 2).find(
    ({ id }) => id === "functions",
  );
  return [
    ...(engine === "legacy" ? ["The legacy engine delivers, but the functions need the current one."] : []),
    ...(found === undefined ? ["The webhook does not exist."] : []),
    ...(found?.enabled === false ? ["The webhook is disabled."] : []),
    ...(found !== undefined && found.url !== needed.url ? ["The webhook has another address."] : []),
    ...(found !== undefined &&
    !(found.useBasicAuth && found.username === needed.username && found.password === needed.password)
      ? ["The webhook has other credentials than the functions."]
      : []),
  ];
}
