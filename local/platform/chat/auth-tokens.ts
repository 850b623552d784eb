import { randomBytes } from "node:crypto";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText } from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyPage } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  type AuthToken,
  deleteAuthToken,
  deleteAuthTokensOf,
  findAuthToken,
  insertAuthToken,
  listActiveAuthTokens,
  updateAuthToken,
} from "../store/auth-tokens.ts";
import { requireUser } from "./user-lookup.ts";

const route = appFamily("docs/platform/addressing-and-keys.md#auth-tokens", { allowsAuthOnly: true });

/** Declares the auth token family. */
export const authTokenRoutes: readonly AppRoute[] = [
  route("create-authtoken", "POST /users/{uid}/auth_tokens", createToken, {
    assumptions: ["Without `force` the newest active token is answered again."],
  }),
  route("list-authtokens", "GET /users/{uid}/auth_tokens", listTokens),
  route("flush-authtokens", "DELETE /users/{uid}/auth_tokens", flushTokens),
  route("get-authtoken", "GET /users/{uid}/auth_tokens/{authToken}", getToken),
  route("update-authtoken", "PUT /users/{uid}/auth_tokens/{authToken}", updateToken, {
    input: { needs: { any: ["platform", "userAgent", "appInfo"] } },
  }),
  route("delete-authtoken", "DELETE /users/{uid}/auth_tokens/{authToken}", deleteToken),
];

function createToken(request: AppRequest): Reply {
  const user = requireUser(request);
  const current =
    optionalFlag(request.body, "force") === true ? undefined : activeTokens(request, user.uid).at(0);
  return reply(current ?? issueToken(request, user.uid));
}

function listTokens(request: AppRequest): Reply {
  const tokens = activeTokens(request, requireUser(request).uid);
  return replyPage(request.query, tokens);
}

function flushTokens(request: AppRequest): Reply {
  const { uid } = requireUser(request);
  deleteAuthTokensOf(request, uid);
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
    ...defined({ platform, userAgent, appInfo }),
  };
  updateAuthToken(request, changed);
  return reply(changed);
}

function deleteToken(request: AppRequest): Reply {
  const token = requireToken(request);
  deleteAuthToken(request, token.authToken);
  return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
}

function requireToken(request: AppRequest): AuthToken {
  const { uid } = requireUser(request);
  const token = findAuthToken(request, uid, request.param("authToken"));
  if (token === undefined) {
    throw new PlatformError("ERR_AUTH_TOKEN_NOT_FOUND", `The auth token does not exist for the UID ${uid}.`);
  }
  return token;
}

function activeTokens(request: AppRequest, uid: string): AuthToken[] {
  return listActiveAuthTokens(request, uid);
}

/**
 * Makes and stores a token; with 100 active ones the oldest is archived.
 * @see docs/platform/addressing-and-keys.md#auth-tokens
 */
export function issueToken(request: AppServices, uid: string): AuthToken {
  const createdAt = nowSeconds(request);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  insertAuthToken(request, token);
  return token;
}
