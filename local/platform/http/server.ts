import { type Context, Hono } from "hono";
import { requireOperationAccess } from "../access/operation-access.ts";
import { apiNotFound, badRequest } from "../errors/failures.ts";
import { PlatformError, toErrorEnvelope } from "../errors/platform-error.ts";
import type { FaultPlan, RequestFault } from "../faults/plan.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { Services } from "../services.ts";
import { type Address, resolveAddress } from "./address.ts";
import {
  readGeneration,
  requireActor,
  requireApiKey,
  requireApp,
  requireManagementKey,
  requireScope,
} from "./authenticate.ts";
import { createQuery } from "./query.ts";
import type { Reply } from "./reply.ts";
import type { AppRoute, Fidelity, ManagementRoute } from "./route.ts";

/** What the server is made of. */
export type ServerParts = {
  services: Services;
  appRoutes: readonly AppRoute[];
  managementRoutes: readonly ManagementRoute[];
  /** Adds the pages and streams under `/_platform`. */
  addPlatformPages(app: Hono): void;
  faults: FaultPlan;
};

/** Names the answer header that tells how sure the behaviour is. */
export const fidelityHeader = "x-platform-fidelity";

/** Builds the HTTP application: one table of declared routes per surface, one way through for every call. */
export function createServer(parts: ServerParts): Hono {
  const app = new Hono({ getPath: (request) => routingPath(addressOf(request)) });
  const ordered = <T extends { path: string }>(routes: readonly T[]) =>
    routes.toSorted((left, right) => specificity(right.path) - specificity(left.path));
  for (const route of ordered(parts.appRoutes)) {
    app.on(route.method, `/${route.surface ?? "chat"}${honoPath(route.path)}`, (context) =>
      run(parts, context, { kind: "app", route }),
    );
  }
  for (const route of ordered(parts.managementRoutes)) {
    app.on(route.method, `/management${honoPath(route.path)}`, (context) =>
      run(parts, context, { kind: "management", route }),
    );
  }
  parts.addPlatformPages(app);
  app.notFound((context) => run(parts, context, { kind: "unknown" }));
  return app;
}

type Target =
  | { kind: "app"; route: AppRoute }
  | { kind: "management"; route: ManagementRoute }
  | { kind: "unknown" };

async function run(parts: ServerParts, context: Context, target: Target): Promise<Response> {
  const startedMs = performance.now();
  const route = target.kind === "unknown" ? undefined : target.route;
  const url = new URL(context.req.url);
  let outcome: Outcome;
  try {
    const fault = parts.faults.onRequest({
      appId: undefined,
      operationId: route?.operationId,
      method: context.req.method,
      path: url.pathname,
    });
    if (fault !== undefined) await applyRequestFault(parts.services, fault);
    const answer = await answerCall(parts.services, context, target);
    outcome = {
      status: answer.status,
      body: answer.body,
      fidelity: route?.fidelity ?? "assumed",
      headers: {},
    };
  } catch (error) {
    outcome = toFailure(error);
  }
  const address = addressOf(context.req.raw);
  parts.services.records.emit(() => ({
    type: "request",
    appId: "appId" in address ? address.appId : undefined,
    method: context.req.method,
    path: `${url.pathname}${url.search}`,
    operationId: route?.operationId,
    onBehalfOf: context.req.header("onbehalfof"),
    status: outcome.status,
    code: outcome.code,
    durationMs: performance.now() - startedMs,
  }));
  return new Response(JSON.stringify(outcome.body), {
    status: outcome.status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      [fidelityHeader]: outcome.fidelity,
      ...outcome.headers,
    },
  });
}

type Outcome = {
  status: number;
  body: JsonObject;
  fidelity: Fidelity;
  code?: string;
  headers: Record<string, string>;
};

async function answerCall(services: Services, context: Context, target: Target): Promise<Reply> {
  const address = addressOf(context.req.raw);
  const query = createQuery(new URL(context.req.url).searchParams);
  const header = (name: string) => context.req.header(name);
  const param = (name: string) => {
    const value = context.req.param(name);
    if (value === undefined) throw new Error(`The route of ${context.req.method} has no parameter ${name}.`);
    return value;
  };

  if (address.surface === "chat" || address.surface === "calls") {
    const app = requireApp(services.db, address);
    const apiKey = requireApiKey(services.db, app, header("apikey"));
    requireVersion(address.version);
    if (target.kind !== "app") throw apiNotFound();
    requireScope(apiKey, target.route);
    const actor = requireActor(services.db, app, target.route, header("onbehalfof"));
    const { body, rawBody, contentType } = await readBody(context);
    const call = { ...services, app, apiKey, actor, param, query, body, rawBody, contentType };
    requireOperationAccess(call, target.route);
    return await target.route.handler(call);
  }
  if (address.surface === "management") {
    requireManagementKey(services.db, header("key"), header("secret"));
    if (target.kind !== "management") throw apiNotFound();
    const generation = readGeneration(header("x-webhook-version"));
    const { body } = await readBody(context);
    const app = () => requireApp(services.db, { appId: param("appId") });
    return await target.route.handler({ ...services, app, generation, param, query, body });
  }
  throw apiNotFound();
}

async function readBody(
  context: Context,
): Promise<{ body: JsonObject; rawBody: Uint8Array; contentType: string }> {
  const contentType = context.req.header("content-type") ?? "";
  if (context.req.method === "GET") return { body: {}, rawBody: new Uint8Array(), contentType };
  const rawBody = new Uint8Array(await context.req.arrayBuffer());
  if (rawBody.length === 0 || contentType.toLowerCase().startsWith("multipart/form-data")) {
    return { body: {}, rawBody, contentType };
  }
  const body = parseJson(new TextDecoder().decode(rawBody));
  if (!isJsonObject(body)) throw badRequest({ body: "The body must be a JSON object." });
  return { body, rawBody, contentType };
}

function requireVersion(version: string): void {
  if (version === "v3" || version === "v3.0") return;
  throw new PlatformError(
    "ERR_INVALID_API_VERSION",
    `The API version ${version} does not exist. Please use v3.`,
  );
}

async function applyRequestFault({ clock }: Services, fault: RequestFault): Promise<void> {
  if (fault.delayMs !== undefined) {
    const dueMs = clock.now() + fault.delayMs;
    await new Promise<void>((resolve) => void clock.schedule(dueMs, resolve));
  }
  if (fault.code !== undefined) {
    throw new PlatformError(fault.code, fault.message ?? "A fault was planned for this call.", {
      ...(fault.status === undefined ? {} : { status: fault.status }),
      ...(fault.retryAfterSeconds === undefined
        ? {}
        : { headers: { "retry-after": String(fault.retryAfterSeconds) } }),
    });
  }
}

function toFailure(error: unknown): Outcome {
  const known =
    error instanceof PlatformError
      ? error
      : new PlatformError("ERR_EXCEPTION", "An unhandled exception occurred.", {
          devMessage: error instanceof Error ? error.message : String(error),
        });
  return {
    status: known.status,
    body: toErrorEnvelope(known),
    fidelity: known.code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : "assumed",
    code: known.code,
    headers: known.headers,
  };
}

function addressOf(request: Request): Address {
  const path = pathOf(request.url);
  return resolveAddress(request.headers.get("host") ?? "", path);
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return url.slice(start, end === -1 ? undefined : end);
}

function routingPath(address: Address): string {
  if (address.surface === "platform") return address.path;
  return `/${address.surface}${address.path}`;
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

// `/conversations/pinned` has to win over `/conversations/{conversationId}`.
function specificity(path: string): number {
  return path.split("/").reduce((total, part) => total * 2 + (part.startsWith("{") ? 0 : 1), 0);
}
