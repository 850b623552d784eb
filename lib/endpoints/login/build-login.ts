import { createAwsCaller, limitCalls } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { readAwsEnvironment, readSetting } from "../../base/config.ts";
import { durationMs } from "../../base/duration.ts";
import { lazy } from "../../base/lazy.ts";
import { authTokens } from "../../chat/resources/keys-and-tokens.ts";
import { users } from "../../chat/resources/users.ts";
import type { JwtSettings } from "../own/jwt/jwt-settings.ts";
import { type JwtEdges, jwt } from "../own/jwt.ts";
import { type HttpFunction, onRequest } from "../own/on-request.ts";
import { notConfigured } from "../own/refusal.ts";
import { logIn } from "./log-in.ts";
import { type CountLogin, createLoginLimit } from "./login-limit.ts";
import type { LoginSettings } from "./login-settings.ts";

const countWithinMs = 1_000;

export interface LoginEdges {
  readonly keys?: JwtEdges;
  readonly limitUntil?: (deadlineMs: number) => CountLogin;
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
    async ({ app: { appId }, caller, chat, log, count, now, deadlineMs }) => {
      const login = loginOf(appId);
      if (login === undefined) throw notConfigured();
      const countLogin = limitUntil(Math.min(now() + countWithinMs, deadlineMs));
      const families = chat.using({ users, authTokens });
      return logIn(caller, login.issuer, settingsOf(appId), { appId, ...families, countLogin, log, count });
    },
  );
}

/** Reads the table's name at the first login. */
function lazyLimit(): (deadlineMs: number) => CountLogin {
  const callAws = lazy(() => createAwsCaller(readAwsEnvironment()));
  return (deadlineMs) => {
    const tableName = readSetting("LOGINS_TABLE_NAME");
    const table = createTable({ callAws: limitCalls(callAws(), deadlineMs), tableName });
    return createLoginLimit(table, Date.now);
  };
}
