import { randomBytes } from "node:crypto";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { type AuthToken, insertAuthToken } from "../store/auth-tokens.ts";

/**
 * Makes and stores a token; with 100 active ones the oldest is archived.
 * @see docs/platform/addressing-and-keys.md#auth-tokens
 */
export function issueToken(call: Services & { app: App }, uid: string): AuthToken {
  const createdAt = nowSeconds(call);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  insertAuthToken(call.db, call.app.appId, token);
  return token;
}
