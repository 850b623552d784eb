import type { WorldFacts } from "../../api/world.ts";
import { useResource } from "./use-resource.ts";

export function useFacts(): WorldFacts | undefined {
  return useResource<WorldFacts>("/api/facts", ["world"]).value;
}

/** Returns an app's name, with its id if another app has the same name. */
export function nameOfApp({ appId, name }: App, apps: readonly App[]): string {
  return apps.some((other) => other.name === name && other.appId !== appId) ? `${name} (${appId})` : name;
}

type App = WorldFacts["apps"][number];
