import type { Cached } from "../base/cached.ts";
import { lazyByKey } from "../base/lazy.ts";
import type { AppCredentials } from "./app-credentials.ts";
import type { Connection } from "./compose.ts";
import { connectApp } from "./connect-app.ts";
import type { TransportOptions } from "./transport.ts";

export interface ConnectAppsOptions extends Omit<TransportOptions, "onNotAsDocumented"> {
  readonly onKeyRefused?: (appId: string) => void;
  readonly onOddAnswer?: (appId: string, operation: string) => void;
}

/**
 * Fetches nothing yet. A corrected region in a secret gets a new connection.
 * @throws the errors of `connectApp`, when a connection is requested
 */
export function connectApps(
  credentialsOf: (appId: string) => Cached<AppCredentials>,
  baseUrlTemplate: string,
  { onKeyRefused, onOddAnswer, ...transport }: ConnectAppsOptions,
): (appId: string, region: string) => Promise<Connection> {
  const connections = lazyByKey((appAndRegion: string) => {
    const [appId = ""] = appAndRegion.split(" ");
    return connectApp(credentialsOf(appId), baseUrlTemplate, {
      ...transport,
      onKeyRefused: () => onKeyRefused?.(appId),
      onNotAsDocumented: (operation) => onOddAnswer?.(appId, operation),
    });
  });
  return (appId, region) => connections(`${appId} ${region}`);
}
