import { randomBytes } from "node:crypto";
import { ensure, found, userNotFound } from "../errors/platform-error.ts";
import {
  optionalMetadata,
  optionalObject,
  optionalTags,
  optionalText,
  readFields,
  requiredId,
  requiredText,
  text,
  textsOf,
  unset,
} from "../http/fields.ts";
import {
  type AppRequest,
  acknowledge,
  appFamily,
  changeCursor,
  pageMeta,
  readPage,
  reply,
  replyPage,
} from "../http/route.ts";
import { omit } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { deleteRows, findBody } from "../store/database.ts";
import { eraseDocuments, eraseUser } from "../store/purge.ts";
import {
  type AuthToken,
  countUsers,
  findActiveUser,
  findUser,
  insertAuthToken,
  listActiveAuthTokens,
  putUser,
  selectUsers,
  type User,
  updateAuthToken,
} from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { blockFields, requireNew, requireRole, requireUser } from "./lookup.ts";

const profileFields = {
  avatar: text(3_000),
  link: text(3_000),
  statusMessage: optionalText,
  metadata: optionalMetadata,
  tags: optionalTags,
};

export const userRoutes = appFamily({
  "create-user": {
    allowsAuthOnly: true,
    handler(request) {
      ensure(
        request.apiKey.scope !== "authOnly" || request.switches.authOnlyCreatesUsers,
        "AUTH_ERR_NO_ACCESS",
        `The key ${request.apiKey.apiKey} may not create users.`,
      );
      const uid = requiredId(request.body, "uid");
      const name = requiredText(request.body, "name", 100);
      const role = requireRole(request, optionalText(request.body, "role") ?? "default");
      requireNew(request, "UID", uid);
      const user: User = {
        uid,
        name,
        status: "offline",
        role,
        createdAt: nowSeconds(request),
        ...readFields(request.body, profileFields),
      };
      putUser(request, user);
      const withToken = request.body.withAuthToken === true;
      return {
        ...user,
        ...(withToken && { authToken: issueToken(request, uid).authToken }),
      };
    },
  },
  "list-users"(request) {
    const { query } = request;
    const page = readPage(query);
    if (query.flag("count")) return { count: countUsers(request, query) };
    const { items, total } = selectUsers(request, query, page);
    const withTags = query.flag("withTags") === true;
    return reply(
      items.map((user) => showUser(user, undefined, withTags)),
      { meta: pageMeta(page, total, items.length), ...changeCursor(items.at(-1)) },
    );
  },
  "reactivate-users"(request) {
    const uids = textsOf(request.body, "uidsToActivate");
    const nonDeactivatedUids = uids.filter((uid) => {
      const user = findUser(request, uid.toLowerCase());
      if (user?.deactivatedAt === undefined) return true;
      putUser(request, omit(user, "deactivatedAt"));
      return false;
    });
    return { nonDeactivatedUids };
  },
  "deactivate-users"(request) {
    const uids = textsOf(request.body, "uidsToDeactivate");
    return { deactivatedUids: uids.filter((uid) => deactivate(request, uid.toLowerCase())) };
  },
  "get-user"(request) {
    const user = requireUser(request);
    return {
      ...showUser(user, request.actor?.uid, true),
      ...(request.actor !== undefined && blockFields(request, request.actor.uid, user.uid)),
    };
  },
  "update-user"(request) {
    const user = requireUser(request);
    const changed: User = {
      ...user,
      ...readFields(request.body, profileFields),
      updatedAt: nowSeconds(request),
    };
    if (request.body.name !== undefined) changed.name = requiredText(request.body, "name", 100);
    const role = optionalText(request.body, "role");
    if (role !== undefined) changed.role = requireRole(request, role);
    unset(request.body, changed, ["avatar", "link", "metadata"]);
    putUser(request, changed);
    return changed;
  },
  "delete-user"(request) {
    const uid = request.param("uid").toLowerCase();
    if (findUser(request, uid) === undefined) throw userNotFound(uid);
    if (request.body.permanent === true) eraseUser(request, uid);
    else deactivate(request, uid);
    return acknowledge(`User with ${uid} has been deleted successfully.`);
  },
  "create-authtoken": {
    allowsAuthOnly: true,
    handler(request) {
      const user = requireUser(request);
      const current = request.body.force === true ? undefined : listActiveAuthTokens(request, user.uid).at(0);
      return current ?? issueToken(request, user.uid);
    },
  },
  "list-authtokens"(request) {
    return replyPage(request.query, listActiveAuthTokens(request, requireUser(request).uid));
  },
  "flush-authtokens"(request) {
    const { uid } = requireUser(request);
    deleteRows(request, "auth_tokens", { uid });
    return acknowledge(`Cleared Auth Tokens successfully for uid ${uid}.`);
  },
  "get-authtoken": requireToken,
  "update-authtoken"(request) {
    const token = requireToken(request);
    const fields = { platform: optionalText, userAgent: optionalText, appInfo: optionalObject };
    const changed: AuthToken = { ...token, ...readFields(request.body, fields) };
    updateAuthToken(request, changed);
    return changed;
  },
  "delete-authtoken"(request) {
    const token = requireToken(request);
    deleteRows(request, "auth_tokens", { authToken: token.authToken });
    return acknowledge(`The auth token of uid ${token.uid} has been deleted successfully.`);
  },
});

/** Ends connections silently (assumed). @returns whether the user was active */
export function deactivate(services: AppServices, uid: string): boolean {
  const user = findActiveUser(services, uid);
  if (user === undefined) return false;
  putUser(services, { ...user, status: "offline", deactivatedAt: nowSeconds(services) });
  eraseDocuments(services, ["connection"], uid);
  return true;
}

function requireToken(request: AppRequest) {
  const { uid } = requireUser(request);
  return found(
    findBody<AuthToken>(request, "auth_tokens", { authToken: request.param("authToken"), uid }),
    "ERR_AUTH_TOKEN_NOT_FOUND",
    `The auth token does not exist for the UID ${uid}.`,
  );
}

function issueToken(request: AppServices, uid: string) {
  const createdAt = nowSeconds(request);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  insertAuthToken(request, token);
  return token;
}
