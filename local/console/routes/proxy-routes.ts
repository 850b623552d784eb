import type { Context, Hono } from "hono";
import type { World } from "../../stack/world.ts";
import { appAccess, fetchPlatform, noAccess } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { hideKeys } from "../hide-keys.ts";

/** The page may send these. Credentials are added here, so that no page has them. */
const passedHeaders = ["accept", "content-type", "onbehalfof", "x-webhook-version"];

/** A user's file stays a sandboxed download: it must not act as the console's page. */
const keptHeaders = [
  "content-type",
  "content-disposition",
  "content-security-policy",
  "x-platform-fidelity",
  "retry-after",
];

/** `/api/{chat|call}/{appId}/…`, `/api/management/…`, `/api/platform/…` */
export function addProxyRoutes(app: Hono, { world }: ConsoleContext): void {
  const { platform } = world;
  const pass = async (context: Context, url: string, credentials: Readonly<Record<string, string>>) =>
    await withoutKeys(await forward(context, url, credentials), world);
  for (const [name, service] of [
    ["chat", "api"],
    ["call", "call"],
  ] as const) {
    app.all(`/api/${name}/:appId/*`, async (context) => {
      const appId = context.req.param("appId");
      const access = appAccess(world, appId, service);
      if (access === undefined) return context.json({ error: { message: noAccess(appId) } }, 404);
      const { base, apiKey } = access;
      return await pass(context, base + restOf(context, 3), { apikey: apiKey });
    });
  }
  app.all("/api/management/*", async (context) => {
    const { key, secret } = world.management;
    return await pass(context, platform.managementUrl + restOf(context, 2), { key, secret });
  });
  app.all("/api/platform/*", (context) =>
    pass(context, `${platform.url}/_platform${restOf(context, 2)}`, {}),
  );
}

/** Returns the path after its first `parts` segments, still encoded. */
function restOf(context: Context, parts: number): string {
  const { pathname, search } = new URL(context.req.url);
  return pathname.replace(new RegExp(`^(/[^/]*){${parts}}`), "") + search;
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
  const answer = await fetchPlatform(url, { method, headers, body, redirect: "manual", signal: raw.signal });
  const kept = new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  for (const name of keptHeaders) {
    const value = answer.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return new Response(answer.body, { status: answer.status, headers: kept });
}

/** The page's own routes return them on request. */
async function withoutKeys(answer: Response, world: World): Promise<Response> {
  if (!answer.headers.get("content-type")?.includes("json")) return answer;
  const text = hideKeys(await answer.text(), world);
  // Some statuses, such as 204, must not have even an empty body.
  return new Response(text === "" ? null : text, answer);
}
