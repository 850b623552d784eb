import type { Hono } from "hono";
import { publicUrlOf } from "../../../lib/receive/webhook-url.ts";
import { listApps } from "../../platform/store/apps.ts";
import type { WorldFacts } from "../api/world.ts";
import type { ConsoleContext } from "../console-context.ts";

export function addFactsRoutes(app: Hono, { world: { platform, cloud } }: ConsoleContext): void {
  app.get("/api/facts", (context) => {
    const facts: WorldFacts = {
      apps: listApps(platform.services.db).map(({ appId, name, region }) => ({ appId, name, region })),
      addresses: { platform: platform.url, functions: publicUrlOf(cloud.httpUrl), lambda: cloud.lambdaUrl },
    };
    return context.json(facts);
  });
}
