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
function judge({ app: { appId }, platform, webhook: needed }: World, engine: string): string[] {
  const all = listWebhooks({ db: platform.services.db, appId }, 2);
  const found = all.find(({ id }) => id === "functions");
  const problems =
    engine === "legacy" ? ["The legacy engine delivers, but the functions need the current one."] : [];
  if (found === undefined) return [...problems, "The webhook does not exist."];
  const { enabled, url, useBasicAuth, username, password } = found;
  if (!enabled) problems.push("The webhook is disabled.");
  if (url !== needed.url) problems.push("The webhook has another address.");
  if (!useBasicAuth || username !== needed.username || password !== needed.password)
    problems.push("The webhook has other credentials than the functions.");
  return problems;
}
