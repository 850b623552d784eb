import { createAwsCaller, limitCalls } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { readAwsEnvironment, readSetting } from "../../base/config.ts";
import { durationMs } from "../../base/config-fields.ts";
import { errorFields } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import type { ProcessLog } from "../../base/log.ts";
import { startTimeLimit } from "../../base/time-limit.ts";
import { ChatApiError, InvalidInputError } from "../../chat/errors.ts";
import { isCode } from "../../chat/is-code.ts";
import type { FamilyClient } from "../../chat/operation.ts";
import { authTokens } from "../../chat/resources/keys-and-tokens.ts";
import { users } from "../../chat/resources/users.ts";
import { isOutage } from "../own/answer-own-request.ts";
import type { JwtSettings } from "../own/jwt/jwt-settings.ts";
import { type JwtEdges, jwt, type VerifiedToken } from "../own/jwt.ts";
import { type HttpFunction, onRequest } from "../own/on-request.ts";
import { RefusedRequestError, serviceUnavailable, tooManyRequests } from "../own/refusal.ts";
import { type KeptUser, keepUser, type UsersApi } from "./keep-user.ts";
import { createLoginLimit, type LoginLimit } from "./login-limit.ts";
import type { LoginSettings } from "./login-settings.ts";
import { readProfile, readUid } from "./read-claims.ts";

const countWithinMs = 1_000;
/** Reserved at a login's end: a platform that hangs would use all its time. */
const takeBackWithinMs = 500;

interface LoginEdges {
  readonly keys?: JwtEdges;
  readonly limitUntil?: (deadlineMs: number) => LoginLimit;
}

/**
 * `POST /auth-token/{appId}`: answers a valid login with an auth token of the platform.
 * @param settingsOf from config/auth-token.yml
 */
export function buildLogin(
  settingsOf: (appId: string) => LoginSettings,
  { keys = {}, limitUntil = lazyLimit() }: LoginEdges = {},
): HttpFunction {
  const loginOf = (appId: string): JwtSettings | undefined => {
    const { login } = settingsOf(appId);
    return login === "off" ? undefined : login;
  };
  return onRequest(
    {
      auth: jwt(loginOf, keys),
      origins: (appId) => settingsOf(appId).origins,
      perSource: (appId) => {
        const { perSource, window } = settingsOf(appId).limits;
        return { most: perSource, windowMs: durationMs(window) };
      },
      mostBodyBytes: 1_024,
    },
    // With a key of scope `authOnly`, users are neither read nor changed.
    async ({ app: { appId }, caller: { claims, expiresAt }, chat, log, count, now, deadlineMs }) => {
      const settings = settingsOf(appId);
      const services = { appId, ...chat.using({ users, authTokens }), log, count };
      const uid = readUid(claims, String(claims.iss), settings.user.uid);
      if (uid === undefined) throw uidNotUsable();
      const limit = limitUntil(Math.min(now() + countWithinMs, deadlineMs));
      const counted = await countLogin(limit, uid, settings.limits, services);
      if (counted?.waitMs !== undefined) throw tooManyRequests(counted.waitMs);

      // A client that retries while answers are lost must not fill the user's tokens, which ends older ones.
      let mayHaveMinted = false;
      using time = startTimeLimit(deadlineMs - takeBackWithinMs - now(), now);
      const enter = async () => {
        const kept = await keep(uid, claims, settings.user, services);
        mayHaveMinted = settings.token === "new";
        return mint(uid, settings.token, kept, services);
      };
      const authToken = await time.within(enter).catch(async (error: unknown) => {
        if (counted && isOutage(error) && !mayHaveMinted)
          await takeBack(limitUntil(deadlineMs), counted.id, log);
        throw error;
      });
      // A token lives until it is deleted, or until its user has 100 newer ones
      // (docs/internals/platform/addressing-and-keys.md#auth-tokens).
      return { uid, authToken, expiresAt: null, loginExpiresAt: expiresAt };
    },
  );
}

function lazyLimit() {
  const callAws = lazy(() => createAwsCaller(readAwsEnvironment()));
  return (deadlineMs: number) => {
    const tableName = readSetting("LOGINS_TABLE_NAME");
    const table = createTable({ callAws: limitCalls(callAws(), deadlineMs), tableName });
    return createLoginLimit(table, Date.now);
  };
}

interface LoginServices extends ProcessLog {
  readonly appId: string;
  readonly users: UsersApi;
  readonly authTokens: Pick<FamilyClient<typeof authTokens>, "create">;
}

/** If counting fails, the login succeeds. */
async function countLogin(
  limit: LoginLimit,
  uid: string,
  { perUser, window }: LoginSettings["limits"],
  { appId, log, count }: LoginServices,
) {
  try {
    return await limit.count(appId, uid, { most: perUser, windowMs: durationMs(window) });
  } catch (error) {
    log.error("could not count a login; let it in", { ...errorFields(error) });
    count("LoginNotCounted", { appId });
    return undefined;
  }
}

/** Undoes the count, so that a client that retries during an outage does not reach the limit. */
async function takeBack(limit: LoginLimit, id: string, log: ProcessLog["log"]) {
  try {
    await limit.takeBack(id);
  } catch (error) {
    log.warn("could not take back a login that failed", { ...errorFields(error) });
  }
}

/** Undefined if the key may not read users. */
async function keep(
  uid: string,
  claims: VerifiedToken["claims"],
  settings: LoginSettings["user"],
  { appId, users, log, count }: LoginServices,
) {
  const { profile, hasForeignRole } = readProfile(claims, settings);
  if (hasForeignRole) throw roleNotAllowed();
  const options = { users, createsUsers: settings.unknown === "create" };
  try {
    const kept = await keepUser(uid, profile, options)
      .catch((error: unknown) => {
        if (!(error instanceof InvalidInputError) || error.field !== "metadata") throw error;
        log.warn("a user's metadata has no room for what the login says", { limitBytes: 5 * 1_024 });
        const { metadata: _, ...others } = profile;
        return keepUser(uid, others, options);
      })
      .catch((error: unknown) => {
        if (!isRefusedUpdate(error)) throw error;
        log.warn("the platform refused what the login says of a user", { ...errorFields(error) });
        return keepUser(uid, { role: profile.role }, options);
      });
    count("LoginUser", { appId, outcome: kept });
    if (kept === "missing") throw userUnknown();
    if (kept === "hidden") throw userDeactivated();
    return kept;
  } catch (error) {
    if (!isCode(error, "AUTH_ERR_NO_ACCESS")) throw error;
    count("LoginUser", { appId, outcome: "not-kept" });
    return undefined;
  }
}

function isRefusedUpdate(error: unknown) {
  return error instanceof ChatApiError && error.operation === "update-user" && !isOutage(error);
}

async function mint(
  uid: string,
  token: LoginSettings["token"],
  kept: KeptUser | undefined,
  { authTokens, log }: LoginServices,
) {
  try {
    const minted = await authTokens.create(uid, { force: token === "new" });
    if (minted.uid === uid) return minted.authToken;
  } catch (error) {
    if (!isCode(error, "ERR_UID_NOT_FOUND")) throw error;
    if (kept !== "created") throw kept === undefined ? userUnknown() : userDeactivated();
    log.warn("the platform does not know a user just created", { ...errorFields(error) });
    throw serviceUnavailable();
  }
  throw new OwnError("The platform returned another user's token: it was not passed on.");
}

const uidNotUsable = () =>
  new RefusedRequestError(
    403,
    "uid_not_usable",
    "This login does not name a user who can have an account here.",
  );

const roleNotAllowed = () =>
  new RefusedRequestError(403, "role_not_allowed", "This login names a role that logins may not set.");

const userUnknown = () =>
  new RefusedRequestError(
    403,
    "user_unknown",
    "There is no such user, and this function may not create one.",
  );

const userDeactivated = () => new RefusedRequestError(403, "user_deactivated", "This user may not log in.");
