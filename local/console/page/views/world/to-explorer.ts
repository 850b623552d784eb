import { parseRoute, toHash } from "../../parts/route.ts";

/** The address of an operation, for the app that is shown. */
export function toExplorer(operation: string): string {
  return toHash("api", [operation], { app: parseRoute(location.hash).query.get("app") ?? undefined });
}
