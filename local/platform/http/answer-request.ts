import type { Context } from "hono";
import { apiNotFound, ensure, ensureField, PlatformError } from "../errors/platform-error.ts";
import { isJsonObject, readJson } from "../json.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { noApp } from "../store/apps.ts";
import { createQuery } from "../store/query.ts";
import type { Address } from "./address.ts";
import {
  findActor,
  readGeneration,
  requireApiKey,
  requireApp,
  requireBasic,
  requireManagedApp,
  requireManagementKey,
  requireScope,
} from "./authenticate.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Reply } from "./reply.ts";
import { type AccessCheck, type AppRoute, type ManagementRoute, runRoute, type SentBody } from "./route.ts";

export type Target =
  | { kind: "app"; route: AppRoute }
  | { kind: "management"; route: ManagementRoute }
  | { kind: "unknown" };

/** Headers set here go out with refusals, too. */
export type IncomingRequest = {
  context: Context;
  address: Address;
  target: Target;
  limits: RateLimits;
  answerHeaders: Record<string, string>;
  /** The body of a refused caller is not read. */
  sent?: SentBody;
};

/** @throws PlatformError */
export async function answerRequest(
  { services, checkAccess }: { services: Services; checkAccess: AccessCheck },
  request: IncomingRequest,
): Promise<Reply> {
  const { context, address, target } = request;
  const query = createQuery(new URL(context.req.url).searchParams);
  const header = (name: string) => context.req.header(name);
  const param = (name: string) => {
    const value = context.req.param(name);
    if (value === undefined) throw new Error(`The route of ${context.req.method} has no parameter ${name}.`);
    return value;
  };

  if (address.surface === "chat" || address.surface === "calls") {
    const route = target.kind === "app" ? target.route : undefined;
    const app = requireApp(services.db, address);
    const appServices = servicesOf(services, app);
    Object.assign(request.answerHeaders, request.limits.peek(app.appId, route));
    const apiKey = requireApiKey(appServices, header("apikey"));
    Object.assign(request.answerHeaders, request.limits.take(app.appId, route));
    requireVersion(address.version);
    if (route === undefined) throw apiNotFound();
    requireScope(apiKey, route);
    requirePlannedFeature(services, route);
    const actor = findActor(appServices, route, header("onbehalfof"));
    const user = actor?.uid ?? (route.operationId === "send-bot-message" ? param("uid") : undefined);
    request.limits.takeOfUser(app.appId, route, user);
    const { body, rawBody, contentType } = await readBody(request);
    const { origin } = new URL(context.req.url);
    const appRequest = { ...appServices, apiKey, actor, param, query, body, rawBody, contentType, origin };
    checkAccess(appRequest, route);
    return await runRoute(route, appRequest);
  }
  if (address.surface === "management") {
    const isBasic = target.kind === "management" && target.route.authentication === "basic";
    if (isBasic) requireBasic(services.db, header("authorization"));
    else requireManagementKey(services.db, header("key"), header("secret"));
    if (target.kind !== "management") throw apiNotFound();
    const generation = readGeneration(header("x-webhook-version"));
    const sent = await readBody(request);
    const app = target.route.path.includes("{appId}")
      ? requireManagedApp(services.db, param("appId"))
      : noApp;
    return await runRoute(target.route, { ...servicesOf(services, app), generation, param, query, ...sent });
  }
  throw apiNotFound();
}

const pathsOf = { none: /^$/, moderation: /^\/moderation\//, pins: /\/pin(ned)?$/ };

function requirePlannedFeature({ switches }: Services, { path }: AppRoute) {
  const { missingFeature } = switches;
  ensure(
    !pathsOf[missingFeature].test(path),
    "ERR_FEATURE_NOT_ACCESSIBLE",
    `The feature ${missingFeature} is not accessible in the app's plan.`,
  );
}

async function readBody(request: IncomingRequest) {
  const contentType = request.context.req.header("content-type") ?? "";
  if (request.context.req.method === "GET") return { body: {}, rawBody: new Uint8Array(), contentType };
  const rawBody = new Uint8Array(await request.context.req.arrayBuffer());
  request.sent = { rawBody, contentType };
  if (rawBody.length === 0 || contentType.toLowerCase().startsWith("multipart/form-data")) {
    return { body: {}, rawBody, contentType };
  }
  const body = readJson(new TextDecoder().decode(rawBody));
  ensureField(isJsonObject(body), "body", "The body must be a JSON object.");
  return { body, rawBody, contentType };
}

function requireVersion(version: string) {
  if (version === "v3" || version === "v3.0") return;
  throw new PlatformError(
    "ERR_INVALID_API_VERSION",
    `The API version ${version} does not exist. Please use v3.`,
  );
}
