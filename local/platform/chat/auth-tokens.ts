import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { entity } from "../store/row.ts";
import { type AuthToken, isAuthToken, issueToken } from "./auth-token-issue.ts";
import { requireUser } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "chat-api §4 Auth tokens",
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
  call.db.run("DELETE FROM auth_tokens WHERE app_id = ? AND uid = ?", call.app.appId, uid);
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
  call.db.run(
    "UPDATE auth_tokens SET body = ? WHERE app_id = ? AND auth_token = ?",
    JSON.stringify(changed),
    call.app.appId,
    token.authToken,
  );
  return reply(changed);
}

function deleteToken(call: AppCall): Reply {
  const token = requireToken(call);
  call.db.run("DELETE FROM auth_tokens WHERE app_id = ? AND auth_token = ?", call.app.appId, token.authToken);
  return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
}

function requireToken(call: AppCall): AuthToken {
  const { uid } = requireUser(call);
  const row = call.db.get(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND auth_token = ? AND uid = ?",
    call.app.appId,
    call.param("authToken"),
    uid,
  );
  if (row === undefined) {
    throw new PlatformError("ERR_AUTH_TOKEN_NOT_FOUND", `The auth token does not exist for the UID ${uid}.`);
  }
  return entity(row, "body", isAuthToken);
}

function activeTokens(call: AppCall, uid: string): AuthToken[] {
  return call.db
    .all(
      "SELECT body FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC",
      call.app.appId,
      uid,
    )
    .map((row) => entity(row, "body", isAuthToken));
}
