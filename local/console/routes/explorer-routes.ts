import type { Hono } from "hono";
import { listFamilies } from "../explorer/list-families.ts";

/** `GET /api/explorer`: the operations of the platform. They are sent by the proxy's routes. */
export function addExplorerRoutes(app: Hono): void {
  app.get("/api/explorer", (context) => context.json(listFamilies()));
}
