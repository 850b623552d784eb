import { sha256 } from "./digest.ts";

/**
 * Returns the served app whose path a request for an unknown app takes, so that neither answer nor time
 * reveals which apps are served: always the same one for an id.
 * @returns undefined if no app is served
 */
export function standInFor(unknownAppId: string, servedAppIds: readonly string[]): string | undefined {
  // Must not be computable: an app that is served would differ.
  const digest = sha256([...servedAppIds, unknownAppId].join(" "));
  return servedAppIds[digest.readUInt32BE() % servedAppIds.length];
}
