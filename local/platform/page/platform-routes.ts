import { createHash } from "node:crypto";
import type { Context, Hono, Next } from "hono";
import type { Services } from "../services/services.ts";
import { findApp } from "../store/apps.ts";
import { type Attempt, type Delivery, listAttempts, listDeliveries } from "../store/deliveries.ts";
import { selectMessages } from "../store/messages.ts";
import { streamEvents } from "./event-stream.ts";
import { renderOverview } from "./overview.ts";
import { overviewScript } from "./overview-script.ts";

/** A delivery with its attempts and without secrets. */
export type DeliveryReport = Omit<Delivery, "body" | "target"> & { attempts: Attempt[]; body: unknown };

/**
 * Adds the emulation's own pages below `/_platform`. The prefix keeps them apart from what the platform has. They
 * answer only to loopback names, so that no web page elsewhere can read them through a name of its own.
 */
export function addPlatformPages(app: Hono, services: Services): void {
  app.use("/_platform/*", refuseForeignHosts);
  app.get("/none/", (context) => context.redirect("/_platform/"));
  app.get("/_platform", (context) => context.redirect("/_platform/"));
  app.get("/_platform/", (context) => context.html(renderOverview(services), 200, pageHeaders));
  app.get("/_platform/fidelity", async (context) => {
    const { rows, render } = await loadLedger();
    return context.html(render(rows), 200, pageHeaders);
  });
  app.get("/_platform/fidelity.json", async (context) => context.json({ data: (await loadLedger()).rows }));
  app.get("/_platform/events", (context) => streamEvents(services.records, context.req.raw.signal));
  app.get("/_platform/apps/:appId/messages", (context) => {
    const appId = context.req.param("appId");
    if (findApp(services.db, appId) === undefined) return context.json(unknownApp(appId), 404);
    const messages = selectMessages(services.db, {
      appId,
      conditions: [],
      newestFirst: true,
      limit: limitOf(context),
    });
    return context.json({ data: services.redactor.value(messages.reverse()) });
  });
  app.get("/_platform/apps/:appId/deliveries", (context) => {
    const appId = context.req.param("appId");
    if (findApp(services.db, appId) === undefined) return context.json(unknownApp(appId), 404);
    return context.json({ data: reportDeliveries(services, { appId, limit: limitOf(context) }).reverse() });
  });
}

/** Gathers the newest deliveries (newest first) with their attempts; without `limit` the newest 20,000. */
export function reportDeliveries(
  services: Services,
  filter: { appId?: string; limit?: number },
): DeliveryReport[] {
  return listDeliveries(services.db, filter.appId, filter.limit ?? 20_000).map((stored) => {
    const { target: _target, ...delivery } = stored;
    const body: unknown = JSON.parse(delivery.body);
    return {
      ...delivery,
      body: services.redactor.value(body),
      attempts: listAttempts(services.db, delivery.id),
    };
  });
}

// Read when somebody looks: the sources it scans are none of the platform's business otherwise.
async function loadLedger() {
  const [{ readLedger }, { renderFidelity }] = await Promise.all([
    import("../ledger/read-ledger.ts"),
    import("./fidelity.ts"),
  ]);
  return { rows: readLedger(), render: renderFidelity };
}

async function refuseForeignHosts(context: Context, next: Next): Promise<Response | undefined> {
  const { hostname } = new URL(context.req.url);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) {
    return context.json(
      { error: { code: "LOOPBACK_ONLY", message: "Open this page under 127.0.0.1." } },
      403,
    );
  }
  await next();
  return undefined;
}

function unknownApp(appId: string) {
  return { error: { code: "UNKNOWN_APP", message: `There is no app ${appId} on this platform.` } };
}

function limitOf(context: Context): number {
  const value = Number(context.req.query("limit") ?? 100);
  return Number.isInteger(value) && value > 0 ? Math.min(value, 1_000) : 100;
}

const scriptHash = createHash("sha256").update(overviewScript).digest("base64");

const pageHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
};
