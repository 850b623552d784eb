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

/** `lookAgain` is called once if no key matches: the issuer may have just changed it. */
export type TokenKeys =
  | { readonly kind: "secrets"; readonly secrets: readonly Uint8Array[] }
  | {
      readonly kind: "set";
      readonly find: () => Promise<JWTVerifyGetKey>;
      readonly lookAgain: () => Promise<JWTVerifyGetKey>;
    };

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
      // Such as one that is too short: naming it must not cause a server error.
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
    // An issuer may replace a key under its name, or without a name.
    const isOfAnotherKey =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
    if (!isOfAnotherKey) throw error;
    return verifyByOne(await lookAgain(), verify);
  }
}

/** A token need not name its key (RFC 7515, section 4.1.4): tries every matching one. */
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

/** Claims' names come from the library and the settings, never from the token. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return error.claim === "exp" ? "expired" : "too-old";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWKSNoMatchingKey) return "key";
  return "form";
}
