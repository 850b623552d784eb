import { type CryptoKey, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { durationMs } from "../../../base/duration.ts";
import type { JwtSettings } from "./jwt-settings.ts";
import { checkTokenForm, InvalidTokenError } from "./token-form.ts";

/** What a token says, once it is known who signed it and that it counts now. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** When it ends, in unix seconds. */
  readonly expiresAt: number;
}

/**
 * A key that tokens may be signed with, or a way to find it. `lookAgain` is asked once where no key of the set fits: the
 * issuer may have just changed it.
 */
export type TokenKeys =
  | { readonly kind: "secrets"; readonly secrets: readonly Uint8Array[] }
  | {
      readonly kind: "set";
      readonly find: () => Promise<JWTVerifyGetKey>;
      readonly lookAgain: () => Promise<JWTVerifyGetKey>;
    };

/**
 * Verifies a token: form, algorithm, signature, issuer, audience, times. Anything that is not exactly as configured is
 * refused. Cryptography and the claims' rules are jose's.
 * @throws InvalidTokenError, and what looking for a key throws
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
    maxTokenAge: durationMs(settings.maxAge) / 1_000, // iat must be there, then
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
      // Everything else is said of a key that nothing can be checked with, such as one that is too short: whoever names
      // such a key of the issuer's must not count as a fault of ours.
      throw new InvalidTokenError("key-unusable");
    }
  };
  try {
    const { payload } =
      keys.kind === "set" ? await verifyBySet(keys, verify) : await firstOf(keys.secrets, verify);
    const { exp } = payload;
    if (exp === undefined || !Number.isSafeInteger(Math.floor(exp))) throw new InvalidTokenError("exp");
    return { claims: payload, expiresAt: Math.floor(exp) };
  } catch (error) {
    throw error instanceof errors.JOSEError ? new InvalidTokenError(reasonOf(error)) : error;
  }
}

type Verified = Awaited<ReturnType<typeof jwtVerify>>;
type Verify = (key: Uint8Array | CryptoKey | JWTVerifyGetKey) => Promise<Verified>;

async function verifyBySet(
  { find, lookAgain }: Extract<TokenKeys, { kind: "set" }>,
  verify: Verify,
): Promise<Verified> {
  try {
    return await verifyByOne(await find(), verify);
  } catch (error) {
    // An issuer may put a new key in the place of an old one, under its name or with none.
    const isOfAnotherKey =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
    if (!isOfAnotherKey) throw error;
    return verifyByOne(await lookAgain(), verify);
  }
}

/** A token need not name its key (RFC 7515, section 4.1.4): then each of the set that fits may be the one. */
async function verifyByOne(find: JWTVerifyGetKey, verify: Verify): Promise<Verified> {
  try {
    return await verify(find);
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
      const isOfAnotherKey = error instanceof errors.JWSSignatureVerificationFailed;
      if (!isOfAnotherKey && !(error instanceof InvalidTokenError)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** Names of claims are the library's and the settings', never the token's. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return error.claim === "exp" ? "expired" : "too-old";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWKSNoMatchingKey) return "key";
  return "form";
}
