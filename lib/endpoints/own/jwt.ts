import { type CryptoKey, createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod/mini";
import { InvalidSecretError, type SecretFields } from "../../aws/secrets/parse-secret.ts";
import { type Cached, createStrictCached } from "../../base/cached.ts";
import { durationMs } from "../../base/config-fields.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { lazy, lazyByKey } from "../../base/lazy.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import {
  createFetchKeySet,
  type FetchKeySet,
  KeySetUnavailableError,
  keySetWithinMs,
} from "./jwt/fetch-key-set.ts";
import { type JwtSettings, jwtSettingsSchema } from "./jwt/jwt-settings.ts";
import { checkTokenForm, InvalidTokenError } from "./jwt/token-form.ts";
import { notConfigured, RefusedRequestError, unknownCaller, unnamedCaller } from "./refusal.ts";
import { type Auth, type AuthTools, secretRefreshMs } from "./request-definition.ts";

/** How key sets are fetched. */
export interface JwtEdges {
  readonly fetchKeySet?: FetchKeySet;
  readonly now?: () => number;
}

/**
 * Accepts a JSON Web Token (`Authorization: Bearer …`) of a trusted issuer: signed with a key of its
 * published set, or a secret in the app's secret. Others get 401, an app without settings 404, and 503 if
 * keys cannot be fetched. The call itself never throws.
 * @param settingsOf the settings of jwt-settings.ts by app; undefined if the function is off
 * @throws InvalidInputError if it is not a function
 */
export function jwt(
  settingsOf: (appId: string) => JwtSettings | undefined,
  edges: JwtEdges = {},
): Auth<VerifiedToken> {
  checkCall("jwt", "settingsOf", aFunctionGiven(), settingsOf);
  checkCall("jwt", "edges", edgesSchema(), edges);
  const { now = Date.now, fetchKeySet = createFetchKeySet({ now }) } = edges;
  const checked = new WeakSet<object>();
  const checkSettings = (settings: JwtSettings) => {
    if (checked.has(Object(settings))) return;
    checkCall("jwt", "what settingsOf gives", jwtSettingsSchema, settings);
    checked.add(settings);
  };
  const keySets = lazyByKey((url: string) => createKeySet(url, fetchKeySet, now));

  const keysOf = ({ keys }: JwtSettings, tools: AuthTools): TokenKeys => {
    const { secrets, deadlineMs } = tools;
    if ("url" in keys) {
      const keySet = keySets(keys.url);
      // Key sets use another clock.
      const untilMs = now() + deadlineMs - tools.now();
      return {
        find: () => keySet.get(untilMs),
        refresh: () => keySet.refresh(unknownKeyPauseMs, untilMs),
      };
    }
    return {
      find: async () => secretsIn(await secrets.get(deadlineMs), keys),
      refresh: async () => secretsIn(await secrets.refresh(secretRefreshMs, deadlineMs), keys),
    };
  };

  return {
    nameOf: ({ claims: { iss, sub } }) => JSON.stringify([iss, sub]),
    identify: async (request, tools) => {
      const settings = settingsOf(tools.appId);
      if (settings === undefined) throw notConfigured();
      checkSettings(settings);
      try {
        const keys = keysOf(settings, tools);
        const caller = await verifyToken(bearerOf(request), settings, keys, tools);
        // Otherwise one caller would get another's result.
        if (!caller.claims.sub && request.headers["idempotency-key"]) throw unnamedCaller();
        return caller;
      } catch (error) {
        if (!(error instanceof InvalidTokenError)) throw error;
        tools.note(error.reason);
        throw error.reason === "expired" ? expiredLogin() : unknownCaller("Bearer");
      }
    },
  };
}

const edgesSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({ fetchKeySet: z.optional(aFunctionGiven()), now: z.optional(aFunctionGiven()) }),
);

function expiredLogin(): RefusedRequestError {
  const { status, headers } = unknownCaller("Bearer");
  return new RefusedRequestError(status, "login_expired", "The login has expired.", headers);
}

/**
 * Several headers are joined by a comma, which no token contains.
 * @see RFC 6750, section 2.1
 */
function bearerOf({ headers }: WholeRequest) {
  const [, token] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw new InvalidTokenError("no-credentials");
  return token;
}

/** The digest's size: a shorter secret can be guessed (RFC 7518, section 3.2). */
const leastBytes = { HS256: 32, HS384: 48, HS512: 64 } as const;

function secretsIn(
  fields: SecretFields,
  { secrets, algorithms }: Extract<JwtSettings["keys"], { secrets: unknown }>,
) {
  const least = Math.max(...algorithms.map((algorithm) => leastBytes[algorithm]));
  const [first = ""] = secrets;
  const names = secrets.filter((name) => fields.optionalText(name) !== undefined);
  return (names.length === 0 ? [first] : names).map((name) => {
    const bytes = Buffer.from(fields.text(name), "utf8");
    if (bytes.length >= least) return bytes;
    throw new InvalidSecretError(
      `The field "${name}" of the app's secret is too short to sign with: it must have at least ${least} bytes.`,
    );
  });
}

/**
 * A withdrawn key is refused after 10 minutes; if the issuer does not answer, known keys are valid for 12
 * hours.
 */
const keySetAges = { refreshAfterMs: 600_000, maxAgeMs: 43_200_000 };

/** Invented key ids must not cause requests. */
export const unknownKeyPauseMs = 30_000;

const mostKeys = 100;

/** @throws KeySetUnavailableError from `get` and `refresh` */
export function createKeySet(
  url: string,
  fetchKeySet: FetchKeySet,
  now: () => number,
): Cached<JWTVerifyGetKey> {
  const load = async (deadlineMs: number) => {
    const set = parseJson(await fetchKeySet(url, deadlineMs));
    if (!isRecord(set) || !Array.isArray(set.keys) || set.keys.length > mostKeys) {
      throw new KeySetUnavailableError(`The answer of ${new URL(url).host} is not a key set.`);
    }
    const keys = set.keys.filter(isRecord).filter(isNamed);
    if (keys.length > 0) return createLocalJWKSet({ keys });
    return () =>
      Promise.reject(new KeySetUnavailableError(`The key set of ${new URL(url).host} has no keys.`));
  };
  // With a limit: a slow issuer's keys would stay valid for 12 hours.
  return createStrictCached({ load, ages: keySetAges, now, maxWaitMs: keySetWithinMs });
}

function isNamed(key: Record<string, unknown>): key is Record<string, unknown> & { kty: string } {
  return typeof key.kty === "string";
}

/** A verified token's content. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** In unix seconds. */
  readonly expiresAt: number;
}

/** Source of shared secrets, or of a published set. */
export interface TokenKeys {
  readonly find: () => Promise<readonly Uint8Array[] | JWTVerifyGetKey>;
  /** Called once if no key fits: the issuer may have changed keys. */
  readonly refresh: TokenKeys["find"];
}

/**
 * Verifies a token. jose does the cryptography and the claims' rules.
 * @throws InvalidTokenError, and errors of finding the key
 */
export async function verifyToken(
  token: string,
  settings: JwtSettings,
  keys: TokenKeys,
  { appId, now }: Pick<AuthTools, "appId" | "now">,
): Promise<VerifiedToken> {
  checkTokenForm(token, settings);
  const options = {
    algorithms: [...settings.keys.algorithms],
    issuer: settings.issuer,
    audience: settings.audience.map((one) => one.replaceAll("{appId}", appId)),
    maxTokenAge: durationMs(settings.maxAge) / 1_000,
    clockTolerance: durationMs(settings.clockTolerance) / 1_000,
    currentDate: new Date(now()),
  };
  const verify: Verify = async (key) => {
    try {
      return await (typeof key === "function"
        ? jwtVerify(token, key, options)
        : jwtVerify(token, key, options));
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof KeySetUnavailableError) throw error;
      // An unusable key, such as a short one, must not cause a server error.
      throw new InvalidTokenError("key-unusable");
    }
  };
  try {
    const { payload } = await verifyWithAny(await keys.find(), verify).catch(async (error: unknown) => {
      if (!mayFitAnotherKey(error)) throw error;
      return verifyWithAny(await keys.refresh(), verify);
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

/** An issuer may reuse a key id. */
function mayFitAnotherKey(error: unknown) {
  return [
    errors.JWKSNoMatchingKey,
    errors.JWSSignatureVerificationFailed,
    InvalidTokenError,
    KeySetUnavailableError,
  ].some((one) => error instanceof one);
}

/** Tries every matching key: a token need not name its key (RFC 7515, section 4.1.4). */
async function verifyWithAny(keys: readonly Uint8Array[] | JWTVerifyGetKey, verify: Verify) {
  if (typeof keys !== "function") return tryKeys(keys, verify);
  try {
    return await verify(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return tryKeys(error, verify);
  }
}

async function tryKeys<Key extends Uint8Array | CryptoKey>(
  keys: Iterable<Key> | AsyncIterable<Key>,
  verify: Verify,
) {
  let refused: unknown = new InvalidTokenError("no-key");
  for await (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      if (!mayFitAnotherKey(error)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** Returns a reason without text of the token. */
function reasonOf(error: errors.JOSEError) {
  if (error instanceof errors.JWTExpired) return error.claim === "exp" ? "expired" : "too-old";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWKSNoMatchingKey) return "key";
  return "form";
}
