import { type CryptoKey, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { durationMs } from "../../../base/duration.ts";
import type { JwtSettings } from "./jwt-settings.ts";
import { checkTokenForm, InvalidTokenError } from "./token-form.ts";

/** A verified token's content. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** In unix seconds. */
  readonly expiresAt: number;
}

/** Shared secrets, or a published set. */
export interface TokenKeys {
  readonly find: () => Promise<readonly Uint8Array[] | JWTVerifyGetKey>;
  /** Called once if no key fits: the issuer may have just changed it. */
  readonly lookAgain: TokenKeys["find"];
}

/**
 * Refuses any deviation from the settings. jose does the cryptography and the claims' rules.
 * @throws InvalidTokenError, and errors of finding the key
 */
export async function verifyToken(
  token: string,
  settings: JwtSettings,
  keys: TokenKeys,
  nowMs: number,
): Promise<VerifiedToken> {
  checkTokenForm(token, settings);
  const options = {
    algorithms: [...settings.keys.algorithms],
    issuer: settings.issuer,
    audience: [...settings.audience],
    maxTokenAge: durationMs(settings.maxAge) / 1_000,
    clockTolerance: durationMs(settings.clockTolerance) / 1_000,
    currentDate: new Date(nowMs),
  };
  const verify: Verify = async (key) => {
    try {
      return await (typeof key === "function"
        ? jwtVerify(token, key, options)
        : jwtVerify(token, key, options));
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error;
      // Such as one that is too short: it must not cause a server error.
      throw new InvalidTokenError("key-unusable");
    }
  };
  try {
    const { payload } = await verifyByOne(await keys.find(), verify).catch(async (error: unknown) => {
      if (!isOfAnotherKey(error)) throw error;
      return verifyByOne(await keys.lookAgain(), verify);
    });
    const { exp } = payload;
    if (exp === undefined || !Number.isSafeInteger(Math.floor(exp))) throw new InvalidTokenError("exp");
    return { claims: payload, expiresAt: Math.floor(exp) };
  } catch (error) {
    throw error instanceof errors.JOSEError ? new InvalidTokenError(reasonOf(error)) : error;
  }
}

type Verified = Awaited<ReturnType<typeof jwtVerify>>;
type Verify = (key: Uint8Array | CryptoKey | JWTVerifyGetKey) => Promise<Verified>;

/** An issuer may replace a key under its name. */
function isOfAnotherKey(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

/** A token need not name its key (RFC 7515, section 4.1.4): tries every matching one. */
async function verifyByOne(keys: readonly Uint8Array[] | JWTVerifyGetKey, verify: Verify): Promise<Verified> {
  if (typeof keys !== "function") return firstOf(keys, verify);
  try {
    return await verify(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return firstOf(error, verify);
  }
}

async function firstOf<Key extends Uint8Array | CryptoKey>(
  keys: Iterable<Key> | AsyncIterable<Key>,
  verify: Verify,
): Promise<Verified> {
  let refused: unknown = new InvalidTokenError("no-key");
  for await (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      if (!isOfAnotherKey(error) && !(error instanceof InvalidTokenError)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** Contains no text of the token. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return error.claim === "exp" ? "expired" : "too-old";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWKSNoMatchingKey) return "key";
  return "form";
}
