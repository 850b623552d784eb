import type { Context } from "hono";
import {
  apiNotFound,
  badRequest,
  ensure,
  ensureField,
  found,
  PlatformError,
  userNotFound,
} from "../errors/platform-error.ts";
import { isJsonObject, maxJsonLevels, readJson } from "../json.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { type ApiKey, findApiKey, findApp, isManagementKey, noApp } from "../store/apps.ts";
import type { AppData, Database } from "../store/database.ts";
import { Query } from "../store/query.ts";
import { findActiveUser, type User } from "../store/users.ts";
import type { Generation } from "../store/webhooks.ts";
import type { Address } from "./address.ts";
import type { RateLimits } from "./rate-limits.ts";
import {
  type AppRequest,
  type AppRoute,
  type ManagementRoute,
  type Reply,
  runRoute,
  type SentBody,
} from "./route.ts";

/** Refusals also have headers set here. */
export type IncomingRequest = {
  context: Context;
  address: Address;
  route: AppRoute | ManagementRoute | undefined;
  limits: RateLimits;
  answerHeaders: Record<string, string>;
  /** Not read for a refused caller. */
  sent?: SentBody;
};

export type AccessCheck = (request: AppRequest, route: AppRoute) => void;

export async function answerRequest(
  services: Services,
  request: IncomingRequest,
  checkAccess: AccessCheck,
): Promise<Reply> {
  const { address } = request;
  if (address.surface === "management") return answerManagementRequest(services, request);
  if (address.surface !== "chat" && address.surface !== "calls") throw apiNotFound();
  return answerAppRequest(services, request, address, checkAccess);
}

function readParts({ context, route }: IncomingRequest) {
  const { searchParams, origin } = new URL(context.req.url);
  const param = (name: string) => {
    const value = context.req.param(name);
    if (value === undefined) throw new Error(`The route of ${context.req.method} has no parameter ${name}.`);
    return value;
  };
  return { query: new Query(searchParams, route?.refuseInput), param, origin };
}

async function answerAppRequest(
  services: Services,
  request: IncomingRequest,
  { appId, region, version }: Extract<Address, { readonly appId: string }>,
  checkAccess: AccessCheck,
) {
  const { context, limits } = request;
  const route = request.route?.surface === "management" ? undefined : request.route;
  const app = findApp(services.db, appId);
  ensure(
    app?.region === region,
    "AUTH_ERR_INVALID_APPID",
    `The app with id ${appId} does not exist in this region. Please use a correct app id and region.`,
  );
  const appServices = servicesOf(services, app);
  Object.assign(request.answerHeaders, limits.peek(app.appId, route));
  const apiKey = requireApiKey(appServices, context.req.header("apikey"));
  Object.assign(request.answerHeaders, limits.take(app.appId, route));
  ensure(
    version === "v3" || version === "v3.0",
    "ERR_INVALID_API_VERSION",
    `The API version ${version} does not exist. Please use v3.`,
  );
  if (route === undefined) throw apiNotFound();
  requireScope(apiKey, route);
  requirePlannedFeature(services, route);
  const actor = findActor(appServices, route, context.req.header("onbehalfof"));
  const parts = readParts(request);
  const user = actor?.uid ?? (route.operationId === "send-bot-message" ? parts.param("uid") : undefined);
  limits.takeOfUser(app.appId, route, user);
  const sent = await readBody(request);
  const appRequest = { ...appServices, apiKey, actor, ...parts, ...sent };
  checkAccess(appRequest, route);
  return await runRoute(route, appRequest);
}

async function answerManagementRequest(services: Services, request: IncomingRequest) {
  const header = (name: string) => request.context.req.header(name);
  const route = request.route?.surface === "management" ? request.route : undefined;
  const isBasic = route?.authentication === "basic";
  const credentials = isBasic ? basicOf(header("authorization")) : [header("key"), header("secret")];
  if (!isBasic && !header("key") && header("apikey")) throw apiNotFound();
  requireManagementKey(services.db, credentials);
  if (route === undefined) throw apiNotFound();
  const generation = readGeneration(header("x-webhook-version"));
  const { query, param } = readParts(request);
  const sent = await readBody(request);
  const app = route.path.includes("{appId}")
    ? found(
        findApp(services.db, param("appId")),
        "ERR_APP_NOT_FOUND",
        `The app with id ${param("appId")} does not exist.`,
      )
    : noApp;
  return await runRoute(route, { ...servicesOf(services, app), generation, param, query, ...sent });
}

const pathsOf = { none: /^$/, moderation: /^\/moderation\//, pins: /\/pin(ned)?$/ };

function requirePlannedFeature({ switches: { missingFeature } }: Services, { path }: AppRoute) {
  ensure(
    !pathsOf[missingFeature].test(path),
    "ERR_FEATURE_NOT_ACCESSIBLE",
    `The feature ${missingFeature} is not accessible in the app's plan.`,
  );
}

async function readBody(request: IncomingRequest) {
  const { req } = request.context;
  const contentType = req.header("content-type") ?? "";
  if (req.method === "GET") return { body: {}, rawBody: new Uint8Array(), contentType };
  const rawBody = new Uint8Array(await req.arrayBuffer());
  request.sent = { rawBody, contentType };
  const isForm = contentType.toLowerCase().startsWith("multipart/form-data");
  const body = rawBody.length === 0 || isForm ? {} : readJson(new TextDecoder().decode(rawBody));
  ensureField(
    isJsonObject(body),
    "body",
    `The body must be a JSON object of at most ${maxJsonLevels} levels.`,
  );
  return { body, rawBody, contentType };
}

/**
 * Repeats the key in clear, so clients must not log the error.
 * @see docs/internals/platform/answers-and-errors.md#refused-keys (seen live)
 */
export function requireApiKey(data: AppData, header = ""): ApiKey {
  ensure(header !== "", "AUTH_ERR_EMPTY_APIKEY", "The apikey header is missing. Please send your apiKey.");
  return found(
    findApiKey(data, header),
    "AUTH_ERR_APIKEY_NOT_FOUND",
    `The key ${header} does not exist. Please use correct apiKey.`,
    { devMessage: `The ${header} key doesn't work. Please use correct apiKey.` },
  );
}

function requireScope({ apiKey, scope }: ApiKey, { allowsAuthOnly = false }: AppRoute) {
  ensure(
    scope === "fullAccess" || allowsAuthOnly,
    "AUTH_ERR_NO_ACCESS",
    `The key ${apiKey} does not have access to this operation. Please use an apiKey with the scope fullAccess.`,
    { devMessage: `The ${apiKey} key has the scope ${scope}.` },
  );
}

/** Ignores the header on routes that do not list it (assumed). */
export function findActor(data: AppData, { onBehalfOf }: AppRoute, header = ""): User | undefined {
  if (onBehalfOf === "unsupported") return undefined;
  if (header === "") {
    ensureField(onBehalfOf === "optional", "onBehalfOf", "The onBehalfOf header is required.");
    return undefined;
  }
  const actor = findActiveUser(data, header.toLowerCase());
  if (actor === undefined) throw userNotFound(header);
  return actor;
}

/** Uses the codes of the chat host (assumed). @see docs/internals/platform/management.md#refusals */
function requireManagementKey(db: Database, [key, secret]: readonly (string | undefined)[]) {
  if (!key || !secret) {
    throw new PlatformError(
      "AUTH_ERR_EMPTY_AUTH_HEADER",
      "The credentials of the management account are missing.",
    );
  }
  ensure(
    isManagementKey(db, key, secret),
    "AUTH_ERR_APIKEY_NOT_FOUND",
    "The key and secret do not match. Please use correct ones.",
  );
}

/** Reads the management key and secret (assumed). */
function basicOf(header = "") {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? "";
  return /^([^:]*):(.*)$/.exec(Buffer.from(encoded, "base64").toString("utf8"))?.slice(1) ?? [];
}

/** Reads an absent header as the legacy engine, `2` as the current one; refuses others (assumed). */
function readGeneration(header = ""): Generation {
  if (header === "") return 1;
  if (header.trim() === "2") return 2;
  throw badRequest({ "X-Webhook-Version": "The X-Webhook-Version header must be 2 or absent." });
}
