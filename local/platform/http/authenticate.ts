import { badRequest, ensure, found, PlatformError, userNotFound } from "../errors/platform-error.ts";
import { type ApiKey, findApiKey } from "../store/api-keys.ts";
import { type App, findApp, isManagementKey } from "../store/apps.ts";
import type { AppData, Database } from "../store/database.ts";
import { findActiveUser, type User } from "../store/users.ts";
import type { Generation } from "../store/webhooks.ts";
import type { AppRoute } from "./route.ts";

/** @throws PlatformError AUTH_ERR_INVALID_APPID for an unknown id, or another region's app */
export function requireApp(db: Database, address: { appId: string; region: string }): App {
  const app = findApp(db, address.appId);
  ensure(
    app?.region === address.region,
    "AUTH_ERR_INVALID_APPID",
    `The app with id ${address.appId} does not exist in this region. Please use a correct app id and region.`,
  );
  return app;
}

/** @throws PlatformError ERR_APP_NOT_FOUND */
export function requireManagedApp(db: Database, appId: string): App {
  return found(findApp(db, appId), "ERR_APP_NOT_FOUND", `The app with id ${appId} does not exist.`);
}

/**
 * The refusal repeats the key in clear, so clients must not log it. @see
 * docs/internals/platform/answers-and-errors.md#refused-keys (text and fields seen live)
 */
export function requireApiKey(data: AppData, header: string | undefined): ApiKey {
  ensure(
    header !== undefined && header !== "",
    "AUTH_ERR_EMPTY_APIKEY",
    "The apikey header is missing. Please send your apiKey.",
  );
  const apiKey = findApiKey(data, header);
  ensure(
    apiKey !== undefined,
    "AUTH_ERR_APIKEY_NOT_FOUND",
    `The key ${header} does not exist. Please use correct apiKey.`,
    { devMessage: `The ${header} key doesn't work. Please use correct apiKey.` },
  );
  return apiKey;
}

/** The text is assumed; it names the key, as the 401 does. */
export function requireScope(apiKey: ApiKey, route: AppRoute): void {
  if (apiKey.scope === "fullAccess" || route.allowsAuthOnly === true) return;
  throw new PlatformError(
    "AUTH_ERR_NO_ACCESS",
    `The key ${apiKey.apiKey} does not have access to this operation. Please use an apiKey with the scope fullAccess.`,
    { devMessage: `The ${apiKey.apiKey} key has the scope ${apiKey.scope}.` },
  );
}

/**
 * On routes that do not list the header it is ignored (not documented).
 * @throws PlatformError ERR_UID_NOT_FOUND unknown or deactivated; ERR_BAD_REQUEST missing where it is
 * required
 */
export function findActor(data: AppData, route: AppRoute, header: string | undefined): User | undefined {
  if (route.onBehalfOf === "unsupported") return undefined;
  if (header === undefined || header === "") {
    if (route.onBehalfOf === "optional") return undefined;
    throw badRequest({ onBehalfOf: "The onBehalfOf header is required." });
  }
  const actor = findActiveUser(data, header.toLowerCase());
  if (actor === undefined) throw userNotFound(header);
  return actor;
}

/**
 * Codes for this host are not documented; the chat codes are used. @see
 * docs/internals/platform/addressing-and-keys.md#management-credentials,
 * docs/internals/platform/management.md#refusals
 */
export function requireManagementKey(
  db: Database,
  key: string | undefined,
  secret: string | undefined,
): void {
  if (!key || !secret) {
    throw new PlatformError(
      "AUTH_ERR_EMPTY_AUTH_HEADER",
      "The credentials of the management account are missing.",
    );
  }
  ensure(
    isManagementKey(db, key, secret),
    "AUTH_ERR_APIKEY_NOT_FOUND",
    "The key and secret do not match. Please use correct ones.",
  );
}

/**
 * No page names its credentials: here they are the management key and secret (assumed). @see
 * docs/internals/platform/addressing-and-keys.md#management-credentials
 */
export function requireBasic(db: Database, header: string | undefined): void {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? "")?.[1] ?? "";
  const [, key, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  requireManagementKey(db, key, secret);
}

/** Absent is the legacy engine, `2` the current one; others are refused (assumed). */
export function readGeneration(header: string | undefined): Generation {
  if (header === undefined || header === "") return 1;
  if (header.trim() === "2") return 2;
  throw badRequest({ "X-Webhook-Version": "The X-Webhook-Version header must be 2 or absent." });
}
