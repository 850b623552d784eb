import type { Cached } from "../cached.ts";
import type { AppCredentials } from "../secrets/app-credentials.ts";
import { type Connection, openConnection } from "./compose.ts";
import type { TransportOptions } from "./transport.ts";

/**
 * Makes the way to an app from its secret. Each request takes the key from the cache; when the platform answers 401,
 * the secret is read again, at most once in ten seconds.
 * @throws what reading the secret throws; InvalidInputError if its app id or region cannot be
 */
export async function connectApp(
  credentials: Cached<AppCredentials>,
  baseUrlTemplate: string,
  options: TransportOptions = {},
): Promise<Connection> {
  const { appId, region } = await credentials.get();
  const apiKey = {
    get: async () => (await credentials.get()).apiKey,
    refresh: async () => (await credentials.refresh(refreshAfterMs)).apiKey,
  };
  return openConnection({ ...options, appId, region, apiKey, baseUrlTemplate });
}

/** While a key is refused, each request of each event is. */
const refreshAfterMs = 10_000;
