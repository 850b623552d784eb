import type { Hono } from "hono";
import { ownJson, readOwnBody, requireOwnApp } from "../http/own-json.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { actions } from "./action-table.ts";

/** Adds what clients do, fenced off from the platform's own routes: `POST /_platform/apps/{appId}/…`. */
export function addActions(app: Hono, services: Services): void {
  for (const action of actions) {
    app.post(
      `/_platform/apps/:appId${action.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ownJson(async (context) => {
        const body = await readOwnBody(context);
        const param = (name: string) => context.req.param(name) ?? "";
        return { data: action.run(servicesOf(services, requireOwnApp(services, context)), { param, body }) };
      }),
    );
  }
}
