import type { Cached } from "../base/cached.ts";
import type { AppCredentials } from "./app-credentials.ts";
import { type ApiKeySource, type Connection, openConnection } from "./compose.ts";
import type { TransportOptions } from "./transport.ts";

export interface ConnectOptions extends TransportOptions {
  /** The platform refuses the key in the secret; retries cannot fix that. */
  readonly onKeyRefused?: (() => void) | undefined;
}

/**
 * Uses the cached key; after a 401, reads the secret again, at most once in ten seconds.
 * @throws the errors of reading the secret; InvalidInputError for its app id or region
 */
export async function connectApp(
  credentials: Cached<AppCredentials>,
  baseUrlTemplate: string,
  { onKeyRefused, ...options }: ConnectOptions = {},
): Promise<Connection> {
  const { appId, region } = await credentials.get();
  const apiKey = keyOf(credentials, onKeyRefused);
  return openConnection({ ...options, appId, region, apiKey, baseUrlTemplate });
}

export function keyOf(credentials: Cached<AppCredentials>, onKeyRefused?: () => void): ApiKeySource {
  let given: string | undefined;
  return {
    get: async () => {
      given = (await credentials.get()).apiKey;
      return given;
    },
    refresh: async () => {
      const refused = given;
      given = (await credentials.refresh(refreshAfterMs)).apiKey;
      if (given === refused) onKeyRefused?.();
      return given;
    },
  };
}

/** Limits reads while a key is refused. */
const refreshAfterMs = 10_000;
