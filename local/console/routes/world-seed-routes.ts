import type { Hono } from "hono";
import { countContents } from "../../platform/store/metrics.ts";
import type { AppContents } from "../api/world-seed.ts";
import { appThatExists } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";

/** An app's contents, and `POST /api/world/reset`. */
export function addWorldSeedRoutes(app: Hono, { world }: ConsoleContext): void {
  const { db } = world.platform.services;
  app.get("/api/world/seed/:appId", (context) => {
    const { appId } = appThatExists(world, context.req.param("appId"));
    const contents: AppContents = countContents({ db, appId });
    return context.json(contents);
  });
  app.post("/api/world/reset", async (context) => {
    await world.reset({ endsFunctions: true });
    return context.json({ success: true });
  });
}
