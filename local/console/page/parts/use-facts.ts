import type { WorldFacts } from "../../api/world.ts";
import { useResource } from "./use-resource.ts";

/** Asks which apps the world has, and where it is reached. */
export function useFacts(): WorldFacts | undefined {
  return useResource<WorldFacts>("/api/facts", ["world"]).value;
}

/** Gives an app's name, with its id where another one has the same. */
export function nameOfApp({ appId, name }: App, apps: readonly App[]): string {
  return apps.some((other) => other.name === name && other.appId !== appId) ? `${name} (${appId})` : name;
}

type App = WorldFacts["apps"][number];
