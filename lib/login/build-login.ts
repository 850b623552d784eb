import { createAwsCaller, limitCalls } from "../aws/aws-call.ts";
import { createTable } from "../aws/create-table.ts";
import { authTokens } from "../chat/resources/auth-tokens.ts";
import { users } from "../chat/resources/users.ts";
import { readAwsEnvironment, readSetting } from "../config.ts";
import { durationMs } from "../duration.ts";
import { lazy } from "../lazy.ts";
import type { JwtSettings } from "../own-functions/jwt/jwt-settings.ts";
import { jwt } from "../own-functions/jwt.ts";
import { type HttpFunction, onRequest } from "../own-functions/on-request.ts";
import { notConfigured } from "../own-functions/refusal.ts";
import { logIn } from "./log-in.ts";
import { createLoginLimit } from "./login-limit.ts";
import type { LoginSettings } from "./login-settings.ts";

/** How long counting a login may take, in milliseconds: it is no reason to keep anybody waiting. */
const countWithinMs = 1_000;

/**
 * Makes the function behind `POST /auth-token/{appId}`: who proves a login of one's own gets an auth token of the platform.
 * @param settingsOf What config/auth-token.yml says of an app.
 */
export function buildLogin(settingsOf: (appId: string) => LoginSettings): HttpFunction {
  const loginOf = (appId: string): JwtSettings | undefined => {
    const { login } = settingsOf(appId);
    return login === "off" ? undefined : login;
  };
  const callAws = lazy(() => createAwsCaller(readAwsEnvironment()));
  const tableName = lazy(() => readSetting("LOGINS_TABLE_NAME"));

  return onRequest(
    {
      auth: jwt(loginOf),
      origins: (appId) => settingsOf(appId).origins,
      perSource: (appId) => {
        const { perSource, window } = settingsOf(appId).limits;
        return { most: perSource, windowMs: durationMs(window) };
      },
      mostBodyBytes: 1_024, // nothing in it is read
    },
    async ({ app: { appId }, caller, chat, log, count, now, deadlineMs }) => {
      const login = loginOf(appId);
      if (login === undefined) throw notConfigured();
      const call = limitCalls(callAws(), Math.min(now() + countWithinMs, deadlineMs));
      const countLogin = createLoginLimit(createTable({ callAws: call, tableName: tableName() }), now);
      const families = chat.using({ users, authTokens });
      return logIn(caller, login.issuer, settingsOf(appId), { appId, ...families, countLogin, log, count });
    },
  );
}
