import type { Hono } from "hono";
import type { ReloadAnswer } from "../api/reload.ts";
import type { ConsoleContext } from "../console-context.ts";

export function addReloadRoutes(app: Hono, { world }: ConsoleContext): void {
  app.get("/api/reload", (context) => {
    const answer: ReloadAnswer = world.reload.state();
    return context.json(answer);
  });
}
