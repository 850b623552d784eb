import { errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { durationMs } from "../../duration.ts";
import type { JwtSettings } from "./jwt-settings.ts";
import { checkTokenForm, InvalidTokenError } from "./token-form.ts";

/** What a token says, once it is known who signed it and that it counts now. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** When it ends, in unix seconds. */
  readonly expiresAt: number;
}

/**
 * A key that tokens may be signed with, or a way to find it. `look` is asked anew once where the set has no such key: the
 * issuer may have just changed it.
 */
export type TokenKeys =
  | { readonly kind: "secrets"; readonly secrets: readonly Uint8Array[] }
  | {
      readonly kind: "set";
      readonly find: JWTVerifyGetKey;
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
  const verify = async (key: Uint8Array | JWTVerifyGetKey) =>
    typeof key === "function" ? jwtVerify(token, key, options) : jwtVerify(token, key, options);
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

async function verifyBySet(
  { find, lookAgain }: Extract<TokenKeys, { kind: "set" }>,
  verify: (key: JWTVerifyGetKey) => Promise<Verified>,
): Promise<Verified> {
  try {
    return await verify(find);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    return verify(await lookAgain());
  }
}

async function firstOf(
  secrets: readonly Uint8Array[],
  verify: (key: Uint8Array) => Promise<Verified>,
): Promise<Verified> {
  let refused: unknown = new InvalidTokenError("no-secret");
  for (const secret of secrets) {
    try {
      return await verify(secret);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
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
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return "key";
  return "form";
}
