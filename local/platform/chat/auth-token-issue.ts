import { randomBytes } from "node:crypto";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { nextNumber } from "../store/counters.ts";

/** Describes an auth token. `createdAt` is in unix seconds. @see platform facts: chat-api §4 Auth tokens */
export type AuthToken = {
  uid: string;
  authToken: string;
  createdAt: number;
  platform?: string;
  userAgent?: string;
  appInfo?: JsonObject;
};

/** Makes and stores a token; with 100 active ones the oldest is archived. @see platform facts: chat-api §5 */
export function issueToken(call: Services & { app: App }, uid: string): AuthToken {
  const createdAt = nowSeconds(call);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  call.db.transaction(() => {
    call.db.run(
      "INSERT INTO auth_tokens (app_id, auth_token, uid, created_at, seq, body) VALUES (?, ?, ?, ?, ?, ?)",
      call.app.appId,
      token.authToken,
      uid,
      createdAt,
      nextNumber(call.db, call.app.appId, "auth_token"),
      JSON.stringify(token),
    );
    call.db.run(
      `UPDATE auth_tokens SET archived = 1 WHERE app_id = ? AND uid = ? AND archived = 0 AND auth_token NOT IN (
         SELECT auth_token FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC LIMIT ?)`,
      call.app.appId,
      uid,
      call.app.appId,
      uid,
      maxActiveTokens,
    );
  });
  return token;
}

/** Recognises a stored token. */
export function isAuthToken(value: unknown): value is AuthToken {
  return isJsonObject(value) && typeof value.authToken === "string" && typeof value.createdAt === "number";
}

const maxActiveTokens = 100;
