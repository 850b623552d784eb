import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import { type Cached, createCached } from "../../../base/cached.ts";
import { isRecord, parseJson } from "../../../base/json.ts";
import { type FetchKeySet, KeySetUnavailableError, keySetWithinMs } from "./fetch-key-set.ts";

/**
 * How long a fetched set is valid: refreshed after 10 minutes, so that a key which the issuer withdrew is
 * refused by then; if it cannot be fetched, known keys are valid for 12 hours.
 */
const keySetAges = { refreshAfterMs: 600_000, maxAgeMs: 43_200_000 };

/** How often a set is fetched again for unknown keys: invented key names must not cause more requests. */
export const unknownKeyPauseMs = 30_000;

/** A rotation needs two or three. */
const mostKeys = 100;

/** Caches an issuer's public keys. @throws KeySetUnavailableError from `get` and `refresh` */
export function createKeySet(
  url: string,
  fetchKeySet: FetchKeySet,
  now: () => number,
  random?: () => number,
): Cached<JWTVerifyGetKey> {
  const load = async (deadlineMs: number) => {
    const set = parseJson(await fetchKeySet(url, deadlineMs));
    if (!isRecord(set) || !Array.isArray(set.keys) || set.keys.length > mostKeys) {
      throw new KeySetUnavailableError(`The answer of ${new URL(url).host} is no set of keys.`);
    }
    // An empty set is valid: an issuer that withdraws all keys must not look unavailable.
    return createLocalJWKSet({ keys: set.keys.filter(isRecord).filter(isNamed) });
  };
  // Waits for a slow issuer's refreshed set as for its first: otherwise the known one would stay valid for 12
  // hours.
  return createCached({ load, ages: keySetAges, now, random, maxWaitMs: keySetWithinMs });
}

function isNamed(key: Record<string, unknown>): key is Record<string, unknown> & { kty: string } {
  return typeof key.kty === "string";
}
