import type { Hono } from "hono";
import type { ConsoleGround } from "../console-ground.ts";
import { addWorldClockRoutes } from "./world-clock-routes.ts";
import { addWorldFaultsRoutes } from "./world-faults-routes.ts";
import { addWorldFidelityRoutes } from "./world-fidelity-routes.ts";
import { addWorldKeysRoutes } from "./world-keys-routes.ts";
import { addWorldModerationRoutes } from "./world-moderation-routes.ts";
import { addWorldRolesRoutes } from "./world-roles-routes.ts";
import { addWorldSecretsRoutes } from "./world-secrets-routes.ts";
import { addWorldSeedRoutes } from "./world-seed-routes.ts";
import { addWorldSnapshotsRoutes } from "./world-snapshots-routes.ts";
import { addWorldStateRoutes } from "./world-state-routes.ts";
import { addWorldTimersRoutes } from "./world-timers-routes.ts";
import { addWorldWebhooksRoutes } from "./world-webhooks-routes.ts";

/** Adds `/api/world/…`: what the World view needs besides the platform's own interfaces. */
export function addWorldRoutes(app: Hono, ground: ConsoleGround): void {
  addWorldClockRoutes(app, ground);
  addWorldFaultsRoutes(app, ground);
  addWorldKeysRoutes(app, ground);
  addWorldModerationRoutes(app, ground);
  addWorldRolesRoutes(app, ground);
  addWorldSecretsRoutes(app, ground);
  addWorldSnapshotsRoutes(app, ground);
  addWorldStateRoutes(app, ground);
  addWorldTimersRoutes(app, ground);
  addWorldFidelityRoutes(app);
  addWorldSeedRoutes(app, ground);
  addWorldWebhooksRoutes(app, ground);
}
