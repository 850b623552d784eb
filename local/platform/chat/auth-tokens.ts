import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
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
  { ...base, operationId: "update-authtoken", method: "PUT", path: one, handler: updateToken },
  { ...base, operationId: "delete-authtoken", method: "DELETE", path: one, handler: deleteToken },
];

function createToken(call: AppCall): Reply {
  const user = requireUser(call);
  const current = optionalFlag(call.body, "force") === true ? undefined : activeTokens(call, user.uid).at(0);
  return reply(current ?? issueToken(call, user.uid));
}

function listTokens(call: AppCall): Reply {
  const tokens = activeTokens(call, requireUser(call).uid);
  const page = readPage(call.query);
  const shown = pageOf(tokens, page);
  return reply(shown, { meta: pageMeta(page, tokens.length, shown.length) });
}

function flushTokens(call: AppCall): Reply {
  const { uid } = requireUser(call);
  deleteAuthTokensOf(call.db, call.app.appId, uid);
  return acknowledge(`Cleared Auth Tokens successfully for uid ${uid}.`);
}

function getToken(call: AppCall): Reply {
  return reply(requireToken(call));
}

function updateToken(call: AppCall): Reply {
  const token = requireToken(call);
  const platform = optionalText(call.body, "platform");
  const userAgent = optionalText(call.body, "userAgent");
  const appInfo = optionalObject(call.body, "appInfo");
  const changed: AuthToken = {
    ...token,
    ...(platform === undefined ? {} : { platform }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(appInfo === undefined ? {} : { appInfo }),
  };
  updateAuthToken(call.db, call.app.appId, changed);
  return reply(changed);
}

function deleteToken(call: AppCall): Reply {
  const token = requireToken(call);
  deleteAuthToken(call.db, call.app.appId, token.authToken);
  return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
}

function requireToken(call: AppCall): AuthToken {
  const { uid } = requireUser(call);
  const token = findAuthToken(call.db, call.app.appId, uid, call.param("authToken"));
  if (token === undefined) {
    throw new PlatformError("ERR_AUTH_TOKEN_NOT_FOUND", `The auth token does not exist for the UID ${uid}.`);
  }
  return token;
}

function activeTokens(call: AppCall, uid: string): AuthToken[] {
  return listActiveAuthTokens(call.db, call.app.appId, uid);
}
