import type { Hono } from "hono";
import { ownJson, requireOwnApp } from "../http/own-json.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { requireThing } from "./agent-route.ts";
import { receiveFile } from "./knowledge.ts";

/** Where files go: it knows the signature, and not the app's keys. */
export function addAgentUploads(app: Hono, services: Services): void {
  app.put(
    "/_platform/apps/:appId/agent-uploads/:uploadId",
    ownJson(async (context) => {
      const data = servicesOf(services, requireOwnApp(services, context));
      const uploadId = context.req.param("uploadId") ?? "";
      const { signature } = requireThing(data, "source", uploadId);
      if (signature !== context.req.query("signature")) return undefined;
      const bytes = new Uint8Array(await context.req.arrayBuffer());
      services.db.transaction(() => receiveFile(data, uploadId, bytes));
      return {};
    }),
  );
}
