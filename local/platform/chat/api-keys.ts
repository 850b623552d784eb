import { randomBytes } from "node:crypto";
import { ensure, found, requireRoom } from "../errors/platform-error.ts";
import { choice, requiredText } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, replyPage, searched } from "../http/route.ts";
import { omit } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type ApiKey, deleteApiKey, findApiKey, listApiKeys, putApiKey } from "../store/apps.ts";

export const apiKeyRoutes = appFamily({
  "create-apikey"(request) {
    const name = requiredText(request.body, "name", maxNameLength);
    requiredText(request.body, "scope");
    const scope = choice(request.body, "scope", scopes) ?? "authOnly";
    requireRoom(listApiKeys(request).length, "API keys", maxKeys);
    const key = {
      apiKey: newApiKeyValue(),
      name,
      scope,
      createdAt: nowSeconds(request),
      createdBy: "app_system",
    };
    putApiKey(request, key);
    request.redactor.refresh();
    return show(key);
  },
  "list-apikeys"(request) {
    const scope = request.query.text("scope");
    const keys = searched(request.query, listApiKeys(request), ({ name }) => [name]).filter(
      (key) => scope === undefined || key.scope === scope,
    );
    return replyPage(request.query, keys, { show });
  },
  "get-apikey": (request) => show(requireKey(request)),
  "update-apikey"(request) {
    const key = requireOtherKey(request);
    const changed = {
      ...key,
      name: request.body.name === undefined ? key.name : requiredText(request.body, "name", maxNameLength),
      scope: choice(request.body, "scope", scopes) ?? key.scope,
    };
    putApiKey(request, changed);
    return show(changed);
  },
  "delete-apikey"(request) {
    const key = requireOtherKey(request);
    deleteApiKey(request, key.apiKey);
    return acknowledge(`The Api Key ${key.apiKey} has been deleted successfully.`);
  },
});

/** 40 hex characters. @see docs/internals/platform/addressing-and-keys.md#api-keys */
export function newApiKeyValue(): string {
  return randomBytes(20).toString("hex");
}

function requireKey(request: AppRequest) {
  const value = request.param("apiKey");
  return found(findApiKey(request, value), "ERR_APIKEY_NOT_FOUND", `The Api Key ${value} does not exist.`);
}

function requireOtherKey(request: AppRequest) {
  const key = requireKey(request);
  ensure(
    key.apiKey !== request.apiKey.apiKey,
    "ERR_APIKEY_NO_SELF_ACTION",
    `The Api Key ${key.apiKey} cannot update or delete itself. Please use another apiKey.`,
  );
  return key;
}

function show(key: ApiKey) {
  return omit(key, "createdBy");
}

const scopes = ["authOnly", "fullAccess"] as const;
const maxNameLength = 100;
const maxKeys = 25;
