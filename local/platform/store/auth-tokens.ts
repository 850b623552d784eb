import { isJsonObject, type JsonObject } from "../json.ts";
import { nextNumber } from "./counters.ts";
import type { Database } from "./database.ts";
import { entityIn } from "./row.ts";

/** Describes an auth token. `createdAt` is in unix seconds. @see docs/platform/addressing-and-keys.md#auth-tokens */
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
 * @see docs/platform/addressing-and-keys.md#auth-tokens
 */
export function insertAuthToken(db: Database, appId: string, token: AuthToken): void {
  db.transaction(() => {
    db.run(
      "INSERT INTO auth_tokens (app_id, auth_token, uid, created_at, seq, body) VALUES (?, ?, ?, ?, ?, ?)",
      appId,
      token.authToken,
      token.uid,
      token.createdAt,
      nextNumber(db, appId, "auth_token"),
      JSON.stringify(token),
    );
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
export function updateAuthToken(db: Database, appId: string, token: AuthToken): void {
  db.run(
    "UPDATE auth_tokens SET body = ? WHERE app_id = ? AND auth_token = ?",
    JSON.stringify(token),
    appId,
    token.authToken,
  );
}

/** Finds a token of a user, archived or not. */
export function findAuthToken(
  db: Database,
  appId: string,
  uid: string,
  authToken: string,
): AuthToken | undefined {
  const row = db.get(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND auth_token = ? AND uid = ?",
    appId,
    authToken,
    uid,
  );
  return row === undefined ? undefined : entityIn(row, "body", isAuthToken);
}

/** Finds a token that is not archived, whoever it belongs to. */
export function findActiveAuthToken(db: Database, appId: string, authToken: string): AuthToken | undefined {
  const row = db.get(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND auth_token = ? AND archived = 0",
    appId,
    authToken,
  );
  return row === undefined ? undefined : entityIn(row, "body", isAuthToken);
}

/** Lists a user's tokens that are not archived, the newest first. */
export function listActiveAuthTokens(db: Database, appId: string, uid: string): AuthToken[] {
  return db
    .all(
      "SELECT body FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC",
      appId,
      uid,
    )
    .map((row) => entityIn(row, "body", isAuthToken));
}

/** Deletes one token. */
export function deleteAuthToken(db: Database, appId: string, authToken: string): void {
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND auth_token = ?", appId, authToken);
}

/** Deletes all tokens of a user. */
export function deleteAuthTokensOf(db: Database, appId: string, uid: string): void {
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND uid = ?", appId, uid);
}

function isAuthToken(value: unknown): value is AuthToken {
  return isJsonObject(value) && typeof value.authToken === "string" && typeof value.createdAt === "number";
}

const maxActiveTokens = 100;
