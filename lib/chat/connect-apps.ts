import type { Cached } from "../base/cached.ts";
import { lazyByKey } from "../base/lazy.ts";
import type { AppCredentials } from "./app-credentials.ts";
import type { Connection } from "./compose.ts";
import { connectApp } from "./connect-app.ts";
import type { TransportOptions } from "./transport.ts";

/** How apps are reached, and who hears which app's key is refused, and which answers are not in a documented form. */
export interface ConnectAppsOptions extends Omit<TransportOptions, "onNotAsDocumented"> {
  readonly onKeyRefused?: (appId: string) => void;
  readonly onOddAnswer?: (appId: string, operation: string) => void;
}

/**
 * Makes the ways to several apps, and keeps each: nothing is fetched yet. Whoever corrects the region in an app's secret need
 * not wait for new processes: another region is another way.
 * @throws what `connectApp` throws, when a way is asked for
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
