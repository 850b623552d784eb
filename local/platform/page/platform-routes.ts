import type { Context, Hono, Next } from "hono";
import { ownJson, requireOwnApp } from "../http/own-json.ts";
import type { PlatformRecord, RecordBus } from "../services/records.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { type Attempt, type Delivery, listAttempts, listDeliveries } from "../store/deliveries.ts";
import { selectMessages } from "../store/messages.ts";

/** A delivery with its attempts and without secrets. */
export type DeliveryReport = Omit<Delivery, "body" | "target"> & { attempts: Attempt[]; body: unknown };

/**
 * Adds what the emulation shows of itself below `/_platform`, a prefix that the platform does not have. It answers only
 * under loopback names, so that no web page elsewhere can read it through a name of its own.
 */
export function addPlatformPages(app: Hono, services: Services): void {
  app.use("/_platform/*", refuseForeignHosts);
  app.get("/none/", (context) => context.redirect("/_platform/"));
  app.get("/_platform", (context) => context.redirect("/_platform/"));
  app.get("/_platform/", (context) => context.text(addresses));
  app.get("/_platform/fidelity", async (context) => {
    const { renderMarkdown } = await import("../ledger/markdown.ts");
    return context.text(renderMarkdown(await loadLedger()));
  });
  app.get("/_platform/fidelity.json", async (context) => context.json({ data: await loadLedger() }));
  app.get("/_platform/events", (context) => streamEvents(services.records, context.req.raw.signal));
  app.get(
    "/_platform/apps/:appId/messages",
    ownJson((context) => {
      const data = servicesOf(services, requireOwnApp(services, context));
      const limit = limitOf(context);
      const messages = selectMessages(data, { conditions: [], newestFirst: true, limit });
      return { data: services.redactor.value(messages.reverse()) };
    }),
  );
  app.get(
    "/_platform/apps/:appId/deliveries",
    ownJson((context) => {
      const { appId } = requireOwnApp(services, context);
      return { data: reportDeliveries(services, { appId, limit: limitOf(context) }).reverse() };
    }),
  );
}

const addresses = `The local chat platform. Below /_platform it shows and controls what it holds:

  apps/{appId}/messages     the newest messages (?limit=, at most 1000)
  apps/{appId}/deliveries   the newest webhook deliveries with their attempts
  events                    what happens, as server-sent events
  fidelity, fidelity.json   how sure each behaviour of the emulation is
  faults, switches, clock   what goes wrong on purpose, open behaviours, the time
  apps/{appId}/engine, apps/{appId}/bots, apps/{appId}/moderation-services
                            what the platform's dashboard sets up
  files, users, groups, messages, calls and meetings below apps/{appId}
                            what users do through clients
`;

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

// Loaded on demand: it reads the emulation's sources, which nothing else needs.
async function loadLedger() {
  const { readLedger } = await import("../ledger/read-ledger.ts");
  return readLedger();
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

function limitOf(context: Context): number {
  const value = Number(context.req.query("limit") ?? 100);
  return Number.isInteger(value) && value > 0 ? Math.min(value, 1_000) : 100;
}

/** Answers with a server-sent event per record until the client goes away or the server closes. */
function streamEvents(records: RecordBus, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let unsubscribe = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(": listening\n\n"));
      unsubscribe = records.subscribe((record) => controller.enqueue(encoder.encode(toEvent(record))));
      signal.addEventListener("abort", () => unsubscribe());
    },
    cancel() {
      unsubscribe();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}

function toEvent(record: PlatformRecord): string {
  return `id: ${record.seq}\nevent: ${record.type}\ndata: ${JSON.stringify(record)}\n\n`;
}
