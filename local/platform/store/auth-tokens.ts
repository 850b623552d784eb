import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { nextNumber } from "./documents.ts";
import { findBody } from "./rows.ts";
import { findActiveUser } from "./users.ts";

/**
 * `createdAt` is in unix seconds.
 * @see docs/internals/platform/addressing-and-keys.md#auth-tokens
 */
export type AuthToken = {
  uid: string;
  authToken: string;
  createdAt: number;
  platform?: string;
  userAgent?: string;
  appInfo?: JsonObject;
};

/**
 * With 100 active ones the oldest is archived.
 * @see docs/internals/platform/addressing-and-keys.md#auth-tokens
 */
export function insertAuthToken({ db, appId }: AppData, token: AuthToken): void {
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
}

export function updateAuthToken({ db, appId }: AppData, token: AuthToken): void {
  db.run(
    "UPDATE auth_tokens SET body = ? WHERE app_id = ? AND auth_token = ?",
    JSON.stringify(token),
    appId,
    token.authToken,
  );
}

/** Undefined for a token that is archived, or of a deactivated user. */
export function findTokenOwner(data: AppData, authToken: string): string | undefined {
  const token = findBody<AuthToken>(data, "auth_tokens", { authToken, archived: 0 });
  return token && findActiveUser(data, token.uid)?.uid;
}

/** Newest first. */
export function listActiveAuthTokens({ db, appId }: AppData, uid: string): AuthToken[] {
  return db.entities(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC",
    appId,
    uid,
  );
}

const maxActiveTokens = 100;
