import { listApiKeys } from "../platform/store/api-keys.ts";
import { listApps } from "../platform/store/apps.ts";
import type { World } from "../stack/world.ts";
import { maskSecret } from "./mask.ts";

// A message's or user's own data is written back after an edit, so names alone must not mask it.
const authToken = /("authToken"\s*:\s*")([a-z0-9_-]+_\d{10}[0-9a-f]{16,})(?=")/g;

/** Masks only API keys, the management key and auth tokens in an answer of the platform. */
export function hideKeys(
  text: string,
  { platform, management }: Pick<World, "platform" | "management">,
): string {
  const { db } = platform.services;
  const keys = listApps(db).flatMap(({ appId }) => listApiKeys({ db, appId }).map(({ apiKey }) => apiKey));
  return [...keys, management.key, management.secret]
    .reduce((clean, key) => clean.replaceAll(key, maskSecret(key)), text)
    .replace(authToken, (_, field: string, token: string) => field + maskSecret(token));
}
