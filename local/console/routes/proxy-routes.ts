import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import { basicAuthorization } from "../../../lib/base/http/basic-authorization.ts";
import { consoleAgent } from "../../platform/http/address.ts";
import { accessTo, fetchPlatform } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { must, readInput } from "../read-input.ts";
import { SecretMasks } from "../secret-masks.ts";

/** The page may send these. Credentials are added here: no page has them. */
const passedHeaders = ["accept", "content-type", "onbehalfof", "x-webhook-version"];

/** A user's file stays a sandboxed download: it must not act as the console's page. */
const keptHeaders = [
  "content-type",
  "content-disposition",
  "content-security-policy",
  "x-platform-fidelity",
  "retry-after",
];

const revealSchema = z.union([
  z.object({ mask: z.string() }),
  z.object({ name: z.enum(["MANAGEMENT_KEY", "MANAGEMENT_SECRET"]) }),
  z.object({ name: z.literal("API_KEY"), appId: z.string(), scope: z.string() }),
]);

/** `/api/{chat|call}/{appId}/…` has the key of the header `x-key-scope`. */
export function addProxyRoutes(app: Hono, { localStack }: Pick<ConsoleContext, "localStack">): void {
  const { platform } = localStack;
  const masks = new SecretMasks(localStack);
  const pass = async (context: Context, url: string, credentials: Readonly<Record<string, string>>) =>
    await withoutKeys(await forward(context, masks.restore(url), credentials), masks);
  for (const [name, service] of [
    ["chat", "api"],
    ["call", "call"],
  ] as const) {
    app.all(`/api/${name}/:appId/*`, async (context) => {
      const appId = context.req.param("appId");
      const scope = context.req.header("x-key-scope");
      const { base, apiKey } = accessTo(localStack, appId, { service, scope });
      return await pass(context, base + restOf(context, 3), { apikey: apiKey });
    });
  }
  app.all("/api/management/*", async (context) => {
    const { key, secret } = localStack.management;
    const authorization = basicAuthorization(key, secret);
    return await pass(context, platform.managementUrl + restOf(context, 2), { key, secret, authorization });
  });
  app.all("/api/platform/*", (context) =>
    pass(context, `${platform.url}/_platform${restOf(context, 2)}`, {}),
  );
  app.post("/api/reveal", async (context) => {
    const asked = await readInput(context, revealSchema);
    const { key, secret } = localStack.management;
    const own = { MANAGEMENT_KEY: key, MANAGEMENT_SECRET: secret };
    const value =
      "mask" in asked
        ? masks.reveal(asked.mask)
        : asked.name === "API_KEY"
          ? accessTo(localStack, asked.appId, { scope: asked.scope || undefined }).apiKey
          : own[asked.name];
    const answer = { value: must(value, "There is no such value. It may have been removed.") };
    return context.json(answer, 200, { "cache-control": "no-store" });
  });
}

function restOf(context: Context, parts: number) {
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
  headers.set("user-agent", consoleAgent);
  const body = method === "GET" || method === "HEAD" ? null : await raw.arrayBuffer();
  const answer = await fetchPlatform(url, { method, headers, body, redirect: "manual", signal: raw.signal });
  const kept = new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  for (const name of keptHeaders) {
    const value = answer.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return new Response(answer.body, { status: answer.status, headers: kept });
}

async function withoutKeys(answer: Response, masks: SecretMasks): Promise<Response> {
  if (!answer.headers.get("content-type")?.includes("json")) return answer;
  const text = masks.hide(await answer.text());
  // Some statuses, such as 204, must not have even an empty body.
  return new Response(text === "" ? null : text, answer);
}
