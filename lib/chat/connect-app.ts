import type { Cached } from "../base/cached.ts";
import type { AppCredentials } from "./app-credentials.ts";
import { type Connection, openConnection } from "./compose.ts";
import type { TransportOptions } from "./transport.ts";

/** How an app is reached, and who hears when its key is refused. */
export interface ConnectOptions extends TransportOptions {
  /** The platform refused the key that the secret holds, as far as is known: nothing of ours mends that. */
  readonly onKeyRefused?: (() => void) | undefined;
}

/**
 * Makes the way to an app from its secret. Each request takes the key from the cache; when the platform answers 401,
 * the secret is read again, at most once in ten seconds.
 * @throws what reading the secret throws; InvalidInputError if its app id or region cannot be
 */
export async function connectApp(
  credentials: Cached<AppCredentials>,
  baseUrlTemplate: string,
  { onKeyRefused, ...options }: ConnectOptions = {},
): Promise<Connection> {
  const { appId, region } = await credentials.get();
  let given: string | undefined;
  const apiKey = {
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
  return openConnection({ ...options, appId, region, apiKey, baseUrlTemplate });
}

/** While a key is refused, each request of each event is. */
const refreshAfterMs = 10_000;
