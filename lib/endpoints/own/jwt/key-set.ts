import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import { type Cached, createCached } from "../../../base/cached.ts";
import { isRecord, parseJson } from "../../../base/json.ts";
import { type FetchKeySet, KeySetUnavailableError, keySetWithinMs } from "./fetch-key-set.ts";

/**
 * How long a set lives that was fetched once: anew after 10 minutes, so that a key which the issuer withdrew is refused by
 * then; while it cannot be fetched, the known keys serve for 12 hours.
 */
const keySetAges = { refreshAfterMs: 600_000, maxAgeMs: 43_200_000 };

/** How often a set is fetched anew for keys that it does not have: whoever makes names of keys up cannot make us ask more. */
export const unknownKeyPauseMs = 30_000;

/** A rotation has two or three. */
const mostKeys = 100;

/** Keeps an issuer's public keys at hand. @throws KeySetUnavailableError from `get` and `refresh` */
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
    // A set without keys is one, too: who withdraws them all must not be taken for who is out.
    return createLocalJWKSet({ keys: set.keys.filter(isRecord).filter(isNamed) });
  };
  // A slow issuer's new set is waited for as its first was: else the known one would go on for 12 hours.
  return createCached({ load, ages: keySetAges, now, random, maxWaitMs: keySetWithinMs });
}

function isNamed(key: Record<string, unknown>): key is Record<string, unknown> & { kty: string } {
  return typeof key.kty === "string";
}
