import { randomBytes } from "node:crypto";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { type AuthToken, insertAuthToken } from "../store/auth-tokens.ts";

/**
 * Makes and stores a token; with 100 active ones the oldest is archived.
 * @see docs/platform/addressing-and-keys.md#auth-tokens
 */
export function issueToken(request: Services & { app: App }, uid: string): AuthToken {
  const createdAt = nowSeconds(request);
  const token = { uid, authToken: `${uid}_${createdAt}${randomBytes(16).toString("hex")}`, createdAt };
  insertAuthToken(request.db, request.app.appId, token);
  return token;
}
