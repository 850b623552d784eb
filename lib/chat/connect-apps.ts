import type { Cached } from "../base/cached.ts";
import { lazy, lazyByKey } from "../base/lazy.ts";
import { pause } from "../base/timers.ts";
import type { AppCredentials } from "./app-credentials.ts";
import { type ApiKeySource, type Connection, openConnection } from "./compose.ts";
import { type TransportOptions, untouchedBudgets } from "./transport.ts";

interface ConnectAppsOptions extends Omit<TransportOptions, "onNotAsDocumented"> {
  readonly onKeyRefused?: (appId: string) => void;
  readonly onUndocumentedAnswer?: (appId: string, operation: string) => void;
}

/**
 * Fetches nothing until requested. A corrected region in a secret gets a new connection.
 * @throws the errors of `connectApp`, when a connection is requested
 */
export function connectApps(
  credentialsOf: (appId: string) => Cached<AppCredentials>,
  baseUrlTemplate: string,
  { onKeyRefused, onUndocumentedAnswer, ...transport }: ConnectAppsOptions,
): (appId: string, region: string) => Promise<Connection> {
  const connections = lazyByKey((appAndRegion: string) => {
    const [appId = ""] = appAndRegion.split(" ");
    return connectApp(credentialsOf(appId), baseUrlTemplate, {
      ...transport,
      onKeyRefused: () => onKeyRefused?.(appId),
      onNotAsDocumented: (operation) => onUndocumentedAnswer?.(appId, operation),
    });
  });
  return (appId, region) => connections(`${appId} ${region}`);
}

interface ConnectOptions extends TransportOptions {
  /** Called if the platform refuses the key in the secret, which retries cannot fix. */
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
  return {
    get: async () => (await credentials.get()).apiKey,
    refresh: async (refused) => {
      const { apiKey } = await credentials.refresh(refreshAfterMs);
      if (apiKey === refused) onKeyRefused?.();
      return apiKey;
    },
  };
}

const refreshAfterMs = 10_000;

export interface LaterConnection extends Pick<Connection, "transport"> {
  /** Does not cache a failure. @throws the errors of `connect` */
  readonly open: () => Promise<Connection>;
}

/** Does nothing before its first request, which fails with an error of `connect`. */
export function connectLater(connect: () => Promise<Connection>): LaterConnection {
  let opened: Connection | undefined;
  const open = lazy(async () => {
    opened = await connect();
    return opened;
  });
  return {
    open,
    transport: {
      send: async (request, options) => (await open()).transport.send(request, options),
      noteNotAsDocumented: (operation) => opened?.transport.noteNotAsDocumented(operation),
      timing: () => opened?.transport.timing() ?? { now: Date.now, sleep: pause, repeats: true },
      rateLimit: () => opened?.transport.rateLimit() ?? untouchedBudgets(),
    },
  };
}
