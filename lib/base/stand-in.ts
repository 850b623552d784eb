import { sha256 } from "./digest.ts";

/**
 * Returns the served app whose path a request for an unknown app takes, so that neither answer nor time
 * reveals which apps are served: always the same one for an id, so that ids cause no reads of their own.
 * @returns undefined if no app is served
 */
export function standInFor(unknownAppId: string, servedAppIds: readonly string[]): string | undefined {
  // Who could compute it would see whose limits and caches an id shares, and an app that is served differ.
  const digest = sha256([...servedAppIds, unknownAppId].join(" "));
  return servedAppIds[digest.readUInt32BE() % servedAppIds.length];
}
