import { randomBytes } from "node:crypto";
import { found } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText, readFields } from "../http/fields.ts";
import { acknowledge, replyPage } from "../http/reply.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  type AuthToken,
  insertAuthToken,
  listActiveAuthTokens,
  updateAuthToken,
} from "../store/auth-tokens.ts";
import { deleteRows, findBody } from "../store/rows.ts";
import { requireUser } from "./lookup.ts";

const route = appFamily("docs/internals/platform/addressing-and-keys.md#auth-tokens", {
  allowsAuthOnly: true,
});

export const authTokenRoutes = [
  route(
    "create-authtoken",
    "POST /users/{uid}/auth_tokens",
    (request) => {
      const user = requireUser(request);
      const current = optionalFlag(request.body, "force")
        ? undefined
        : listActiveAuthTokens(request, user.uid).at(0);
      return current ?? issueToken(request, user.uid);
    },
    ["Without `force` the newest active token is answered again."],
  ),
  route("list-authtokens", "GET /users/{uid}/auth_tokens", (request) => {
    return replyPage(request.query, listActiveAuthTokens(request, requireUser(request).uid));
  }),
  route("flush-authtokens", "DELETE /users/{uid}/auth_tokens", (request) => {
    const { uid } = requireUser(request);
    deleteRows(request, "auth_tokens", { uid });
    return acknowledge(`Cleared Auth Tokens successfully for uid ${uid}.`);
  }),
  route("get-authtoken", "GET /users/{uid}/auth_tokens/{authToken}", (request) => requireToken(request)),
  route("update-authtoken", "PUT /users/{uid}/auth_tokens/{authToken}", updateToken, [], {
    needs: "any",
  }),
  route("delete-authtoken", "DELETE /users/{uid}/auth_tokens/{authToken}", (request) => {
    const token = requireToken(request);
    deleteRows(request, "auth_tokens", { authToken: token.authToken });
    return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
  }),
];

function updateToken(request: AppRequest) {
  const token = requireToken(request);
  const fields = { platform: optionalText, userAgent: optionalText, appInfo: optionalObject };
  const changed: AuthToken = { ...token, ...readFields(request.body, fields) };
  updateAuthToken(request, changed);
  return changed;
}

function requireToken(request: AppRequest) {
  const { uid } = requireUser(request);
  return found(
    findBody<AuthToken>(request, "auth_tokens", { authToken: request.param("authToken"), uid }),
    "ERR_AUTH_TOKEN_NOT_FOUND",
    `The auth token does not exist for the UID ${uid}.`,
  );
}

/**
 * Makes and stores a token; with 100 active ones the oldest is archived.
 * @see docs/internals/platform/addressing-and-keys.md#auth-tokens
 */
export function issueToken(request: AppServices, uid: string): AuthToken {
  const createdAt = nowSeconds(request);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  insertAuthToken(request, token);
  return token;
}
