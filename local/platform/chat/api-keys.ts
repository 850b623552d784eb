import { randomBytes } from "node:crypto";
import { limitReached } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { choice, requiredText } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type ApiKey, deleteApiKey, findApiKey, listApiKeys, putApiKey } from "../store/api-keys.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/addressing-and-keys.md#api-keys",
  onBehalfOf: "unsupported",
} as const;

/** Declares the API key family. */
export const apiKeyRoutes: readonly AppRoute[] = [
  { ...base, operationId: "create-apikey", method: "POST", path: "/apikeys", handler: createApiKey },
  { ...base, operationId: "list-apikeys", method: "GET", path: "/apikeys", handler: listKeys },
  { ...base, operationId: "get-apikey", method: "GET", path: "/apikeys/{apiKey}", handler: getKey },
  {
    ...base,
    operationId: "update-apikey",
    input: { needs: { any: ["name", "scope"] } },
    method: "PUT",
    path: "/apikeys/{apiKey}",
    handler: updateKey,
  },
  { ...base, operationId: "delete-apikey", method: "DELETE", path: "/apikeys/{apiKey}", handler: deleteKey },
];

/** Makes a key value: 40 hex characters. @see docs/platform/addressing-and-keys.md#api-keys */
export function newApiKeyValue(): string {
  return randomBytes(20).toString("hex");
}

function createApiKey(request: AppRequest): Reply {
  const name = requiredText(request.body, "name", maxNameLength);
  requiredText(request.body, "scope");
  const scope = choice(request.body, "scope", scopes) ?? "authOnly";
  if (listApiKeys(request.db, request.app.appId).length >= maxKeys) throw limitReached("API keys", maxKeys);
  const key = {
    apiKey: newApiKeyValue(),
    name,
    scope,
    createdAt: nowSeconds(request),
    createdBy: "app_system",
  };
  putApiKey(request.db, request.app.appId, key);
  request.redactor.refresh();
  return reply(show(key));
}

function listKeys(request: AppRequest): Reply {
  const scope = request.query.text("scope");
  const searchKey = request.query.text("searchKey")?.toLowerCase();
  const page = readPage(request.query);
  const keys = listApiKeys(request.db, request.app.appId)
    .filter((key) => scope === undefined || key.scope === scope)
    .filter((key) => searchKey === undefined || key.name.toLowerCase().includes(searchKey));
  const shown = pageOf(keys, page);
  return reply(shown.map(show), { meta: pageMeta(page, keys.length, shown.length) });
}

function getKey(request: AppRequest): Reply {
  return reply(show(requireKey(request)));
}

function updateKey(request: AppRequest): Reply {
  const key = requireOtherKey(request);
  const changed = {
    ...key,
    name: request.body.name === undefined ? key.name : requiredText(request.body, "name", maxNameLength),
    scope: choice(request.body, "scope", scopes) ?? key.scope,
  };
  putApiKey(request.db, request.app.appId, changed);
  return reply(show(changed));
}

function deleteKey(request: AppRequest): Reply {
  const key = requireOtherKey(request);
  deleteApiKey(request.db, request.app.appId, key.apiKey);
  return acknowledge(`The Api Key ${key.apiKey} has been deleted successfully.`);
}

function requireKey(request: AppRequest): ApiKey {
  const value = request.param("apiKey");
  const key = findApiKey(request.db, request.app.appId, value);
  if (key === undefined) {
    throw new PlatformError("ERR_APIKEY_NOT_FOUND", `The Api Key ${value} does not exist.`);
  }
  return key;
}

function requireOtherKey(request: AppRequest): ApiKey {
  const key = requireKey(request);
  if (key.apiKey === request.apiKey.apiKey) {
    throw new PlatformError(
      "ERR_APIKEY_NO_SELF_ACTION",
      `The Api Key ${key.apiKey} cannot update or delete itself. Please use another apiKey.`,
    );
  }
  return key;
}

function show(key: ApiKey): JsonObject {
  return { apiKey: key.apiKey, name: key.name, scope: key.scope, createdAt: key.createdAt };
}

const scopes = ["authOnly", "fullAccess"] as const;
const maxNameLength = 100;
const maxKeys = 25;
