import type { Hono } from "hono";
import type { ConsoleGround } from "../console-ground.ts";
import { addWorldKeysRoutes } from "./world-keys-routes.ts";
import { addWorldWebhooksRoutes } from "./world-webhooks-routes.ts";

/** Adds what the World view asks besides the platform's own interfaces: `/api/world/…`. */
export function addWorldRoutes(app: Hono, ground: ConsoleGround): void {
  addWorldKeysRoutes(app, ground);
  addWorldWebhooksRoutes(app, ground);
}
