import type { Hono } from "hono";
import type { ConsoleContext } from "../console-context.ts";
import { addWorldClockRoutes } from "./world-clock-routes.ts";
import { addWorldFaultsRoutes } from "./world-faults-routes.ts";
import { addWorldFidelityRoutes } from "./world-fidelity-routes.ts";
import { addWorldModerationRoutes } from "./world-moderation-routes.ts";
import { addWorldSecretsRoutes } from "./world-secrets-routes.ts";
import { addWorldSeedRoutes } from "./world-seed-routes.ts";
import { addWorldSnapshotsRoutes } from "./world-snapshots-routes.ts";
import { addWorldStateRoutes } from "./world-state-routes.ts";
import { addWorldTimersRoutes } from "./world-timers-routes.ts";
import { addWorldWebhooksRoutes } from "./world-webhooks-routes.ts";

export function addWorldRoutes(app: Hono, parts: ConsoleContext): void {
  addWorldClockRoutes(app, parts);
  addWorldFaultsRoutes(app, parts);
  addWorldModerationRoutes(app, parts);
  addWorldSecretsRoutes(app, parts);
  addWorldSnapshotsRoutes(app, parts);
  addWorldStateRoutes(app, parts);
  addWorldTimersRoutes(app, parts);
  addWorldFidelityRoutes(app);
  addWorldSeedRoutes(app, parts);
  addWorldWebhooksRoutes(app, parts);
}
