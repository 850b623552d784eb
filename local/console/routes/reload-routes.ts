import type { Hono } from "hono";
import type { ReloadAnswer } from "../api/reload.ts";
import type { ConsoleContext } from "../console-context.ts";

/** Adds `GET /api/reload`: the result of the latest edit of the functions' source. */
export function addReloadRoutes(app: Hono, { world }: ConsoleContext): void {
  app.get("/api/reload", (context) => {
    const answer: ReloadAnswer = world.reload.state();
    return context.json(answer);
  });
}
