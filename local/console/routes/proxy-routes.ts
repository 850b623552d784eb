import type { Context, Hono } from "hono";
import { appAccess, noAccess } from "../ask-platform.ts";
import type { ConsoleGround } from "../console-ground.ts";

/** What the page may say of itself to the platform; credentials are added here, so that no page holds them. */
const passedHeaders = ["accept", "content-type", "onbehalfof", "x-webhook-version"];

/** What is kept of an answer. A file that somebody sent stays a download in a sandbox: it must not act as the console's page. */
const keptHeaders = [
  "content-type",
  "content-disposition",
  "content-security-policy",
  "x-platform-fidelity",
  "retry-after",
];

/** Adds the ways to the platform's interfaces: `/api/{chat|call}/{appId}/…`, `/api/management/…`, `/api/platform/…`. */
export function addProxyRoutes(app: Hono, { world }: ConsoleGround): void {
  const { platform } = world;
  for (const [name, service] of [
    ["chat", "api"],
    ["call", "call"],
  ] as const) {
    app.all(`/api/${name}/:appId/*`, async (context) => {
      const appId = context.req.param("appId");
      const access = appAccess(world, appId, service);
      if (access === undefined) return context.json({ error: { message: noAccess(appId) } }, 404);
      const { base, apiKey } = access;
      return await forward(context, base + restOf(context, `/api/${name}/${appId}`), { apikey: apiKey });
    });
  }
  app.all("/api/management/*", async (context) => {
    const { key, secret } = world.management;
    return await forward(context, platform.managementUrl + restOf(context, "/api/management"), {
      key,
      secret,
    });
  });
  app.all("/api/platform/*", (context) =>
    forward(context, `${platform.url}/_platform${restOf(context, "/api/platform")}`, {}),
  );
}

/** What follows `prefix`, as it was written: encoded names stay encoded. */
function restOf(context: Context, prefix: string): string {
  const { pathname, search } = new URL(context.req.url);
  return pathname.slice(prefix.length) + search;
}

async function forward(
  context: Context,
  url: string,
  credentials: Readonly<Record<string, string>>,
): Promise<Response> {
  const { raw, method } = context.req;
  const headers = new Headers(credentials);
  for (const name of passedHeaders) {
    const value = raw.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set("user-agent", "local-console");
  const body = method === "GET" || method === "HEAD" ? null : await raw.arrayBuffer();
  const answer = await fetch(url, { method, headers, body, redirect: "manual", signal: raw.signal });
  const kept = new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  for (const name of keptHeaders) {
    const value = answer.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return new Response(answer.body, { status: answer.status, headers: kept });
}
