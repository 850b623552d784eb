import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import { type Cached, createCached } from "../../../base/cached.ts";
import { isRecord, parseJson } from "../../../base/json.ts";
import { type FetchKeySet, KeySetUnavailableError, keySetWithinMs } from "./fetch-key-set.ts";

/**
 * A withdrawn key is refused after 10 minutes; without an answer of the issuer, known keys are valid for 12
 * hours.
 */
const keySetAges = { refreshAfterMs: 600_000, maxAgeMs: 43_200_000 };

/** Invented key names must not cause more requests. */
export const unknownKeyPauseMs = 30_000;

const mostKeys = 100;

/** @throws KeySetUnavailableError from `get` and `refresh` */
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
    // Valid if empty: an issuer that withdraws all keys must not look unavailable.
    return createLocalJWKSet({ keys: set.keys.filter(isRecord).filter(isNamed) });
  };
  // Otherwise a slow issuer's known set would stay valid for 12 hours.
  return createCached({ load, ages: keySetAges, now, random, maxWaitMs: keySetWithinMs });
}

function isNamed(key: Record<string, unknown>): key is Record<string, unknown> & { kty: string } {
  return typeof key.kty === "string";
}
