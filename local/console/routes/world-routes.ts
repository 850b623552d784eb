import type { Hono } from "hono";
import type { ConsoleGround } from "../console-ground.ts";
import { addWorldFidelityRoutes } from "./world-fidelity-routes.ts";
import { addWorldKeysRoutes } from "./world-keys-routes.ts";
import { addWorldModerationRoutes } from "./world-moderation-routes.ts";
import { addWorldRolesRoutes } from "./world-roles-routes.ts";
import { addWorldSeedRoutes } from "./world-seed-routes.ts";
import { addWorldWebhooksRoutes } from "./world-webhooks-routes.ts";

/** Adds what the World view asks besides the platform's own interfaces: `/api/world/…`. */
export function addWorldRoutes(app: Hono, ground: ConsoleGround): void {
  addWorldFidelityRoutes(app);
  addWorldKeysRoutes(app, ground);
  addWorldModerationRoutes(app, ground);
  addWorldRolesRoutes(app, ground);
  addWorldSeedRoutes(app, ground);
  addWorldWebhooksRoutes(app, ground);
}
