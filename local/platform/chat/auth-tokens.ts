import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import {
  type AuthToken,
  deleteAuthToken,
  deleteAuthTokensOf,
  findAuthToken,
  listActiveAuthTokens,
  updateAuthToken,
} from "../store/auth-tokens.ts";
import { issueToken } from "./auth-token-issue.ts";
import { requireUser } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/addressing-and-keys.md#auth-tokens",
  onBehalfOf: "unsupported",
  allowsAuthOnly: true,
} as const;
const many = "/users/{uid}/auth_tokens";
const one = "/users/{uid}/auth_tokens/{authToken}";

/** Declares the auth token family. */
export const authTokenRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-authtoken",
    method: "POST",
    path: many,
    assumptions: ["Without `force` the newest active token is answered again."],
    handler: createToken,
  },
  { ...base, operationId: "list-authtokens", method: "GET", path: many, handler: listTokens },
  { ...base, operationId: "flush-authtokens", method: "DELETE", path: many, handler: flushTokens },
  { ...base, operationId: "get-authtoken", method: "GET", path: one, handler: getToken },
  {
    ...base,
    operationId: "update-authtoken",
    input: { needs: { any: ["platform", "userAgent", "appInfo"] } },
    method: "PUT",
    path: one,
    handler: updateToken,
  },
  { ...base, operationId: "delete-authtoken", method: "DELETE", path: one, handler: deleteToken },
];

function createToken(request: AppRequest): Reply {
  const user = requireUser(request);
  const current =
    optionalFlag(request.body, "force") === true ? undefined : activeTokens(request, user.uid).at(0);
  return reply(current ?? issueToken(request, user.uid));
}

function listTokens(request: AppRequest): Reply {
  const tokens = activeTokens(request, requireUser(request).uid);
  const page = readPage(request.query);
  const shown = pageOf(tokens, page);
  return reply(shown, { meta: pageMeta(page, tokens.length, shown.length) });
}

function flushTokens(request: AppRequest): Reply {
  const { uid } = requireUser(request);
  deleteAuthTokensOf(request.db, request.app.appId, uid);
  return acknowledge(`Cleared Auth Tokens successfully for uid ${uid}.`);
}

function getToken(request: AppRequest): Reply {
  return reply(requireToken(request));
}

function updateToken(request: AppRequest): Reply {
  const token = requireToken(request);
  const platform = optionalText(request.body, "platform");
  const userAgent = optionalText(request.body, "userAgent");
  const appInfo = optionalObject(request.body, "appInfo");
  const changed: AuthToken = {
    ...token,
    ...(platform === undefined ? {} : { platform }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(appInfo === undefined ? {} : { appInfo }),
  };
  updateAuthToken(request.db, request.app.appId, changed);
  return reply(changed);
}

function deleteToken(request: AppRequest): Reply {
  const token = requireToken(request);
  deleteAuthToken(request.db, request.app.appId, token.authToken);
  return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
}

function requireToken(request: AppRequest): AuthToken {
  const { uid } = requireUser(request);
  const token = findAuthToken(request.db, request.app.appId, uid, request.param("authToken"));
  if (token === undefined) {
    throw new PlatformError("ERR_AUTH_TOKEN_NOT_FOUND", `The auth token does not exist for the UID ${uid}.`);
  }
  return token;
}

function activeTokens(request: AppRequest, uid: string): AuthToken[] {
  return listActiveAuthTokens(request.db, request.app.appId, uid);
}
