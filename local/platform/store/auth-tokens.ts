import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { nextNumber } from "./documents.ts";

/** Describes an auth token. `createdAt` is in unix seconds. @see docs/internals/platform/addressing-and-keys.md#auth-tokens */
export type AuthToken = {
  uid: string;
  authToken: string;
  createdAt: number;
  platform?: string;
  userAgent?: string;
  appInfo?: JsonObject;
};

/**
 * Stores a new token; with 100 active ones the oldest is archived.
 * @see docs/internals/platform/addressing-and-keys.md#auth-tokens
 */
export function insertAuthToken({ db, appId }: AppData, token: AuthToken): void {
  db.transaction(() => {
    const { authToken, uid, createdAt } = token;
    const seq = nextNumber({ db, appId }, "auth_token");
    db.put("auth_tokens", { appId, authToken, uid, createdAt, seq, body: token });
    db.run(
      `UPDATE auth_tokens SET archived = 1 WHERE app_id = ? AND uid = ? AND archived = 0 AND auth_token NOT IN (
         SELECT auth_token FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC LIMIT ?)`,
      appId,
      token.uid,
      appId,
      token.uid,
      maxActiveTokens,
    );
  });
}

/** Stores what changed of a token. */
export function updateAuthToken({ db, appId }: AppData, token: AuthToken): void {
  db.run(
    "UPDATE auth_tokens SET body = ? WHERE app_id = ? AND auth_token = ?",
    JSON.stringify(token),
    appId,
    token.authToken,
  );
}

/** Finds a token of a user, archived or not. */
export function findAuthToken({ db, appId }: AppData, uid: string, authToken: string): AuthToken | undefined {
  return db.entity(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND auth_token = ? AND uid = ?",
    appId,
    authToken,
    uid,
  );
}

/** Finds a token of any user that is not archived. */
export function findActiveAuthToken({ db, appId }: AppData, authToken: string): AuthToken | undefined {
  return db.entity(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND auth_token = ? AND archived = 0",
    appId,
    authToken,
  );
}

/** Lists a user's tokens that are not archived, the newest first. */
export function listActiveAuthTokens({ db, appId }: AppData, uid: string): AuthToken[] {
  return db.entities(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC",
    appId,
    uid,
  );
}

/** Deletes one token. */
export function deleteAuthToken({ db, appId }: AppData, authToken: string): void {
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND auth_token = ?", appId, authToken);
}

/** Deletes all tokens of a user. */
export function deleteAuthTokensOf({ db, appId }: AppData, uid: string): void {
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND uid = ?", appId, uid);
}

const maxActiveTokens = 100;
