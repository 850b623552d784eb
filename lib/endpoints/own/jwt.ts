import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import * as z from "zod/mini";
import { InvalidSecretError, type SecretFields } from "../../aws/secrets/parse-secret.ts";
import { type Cached, createCached } from "../../base/cached.ts";
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
import { InvalidTokenError } from "./jwt/token-form.ts";
import { type TokenKeys, type VerifiedToken, verifyToken } from "./jwt/verify-token.ts";
import { notConfigured, RefusedRequestError, unknownCaller } from "./refusal.ts";
import { type Auth, type AuthTools, lookAgainMs } from "./request-definition.ts";

/** How key sets are fetched. */
export interface JwtEdges {
  readonly fetchKeySet?: FetchKeySet;
  readonly now?: () => number;
}

/**
 * Accepts a JSON Web Token (`Authorization: Bearer …`) of a trusted issuer: signed with a key of its
 * published set, or a secret in the app's secret. Others get 401, an app without settings 404, and 503 if
 * keys cannot be fetched. Never throws by itself.
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
      // Key sets have their own clock.
      const untilMs = now() + deadlineMs - tools.now();
      return {
        find: () => keySet.get(untilMs),
        lookAgain: () => keySet.refresh(unknownKeyPauseMs, untilMs),
      };
    }
    return {
      find: async () => secretsIn(await secrets.get(deadlineMs), keys),
      lookAgain: async () => secretsIn(await secrets.refresh(lookAgainMs, deadlineMs), keys),
    };
  };

  return {
    nameOf: ({ claims: { iss, sub } }) => JSON.stringify([iss, sub]),
    identify: async (request, tools) => {
      const settings = settingsOf(tools.appId);
      if (settings === undefined) throw notConfigured();
      checkSettings(settings);
      try {
        return await verifyToken(bearerOf(request), settings, keysOf(settings, tools), tools.now());
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
function bearerOf({ headers }: WholeRequest): string {
  const [, token] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw new InvalidTokenError("no-credentials");
  return token;
}

/** The digest's size: a shorter secret can be found by trying (RFC 7518, section 3.2). */
const leastBytes = { HS256: 32, HS384: 48, HS512: 64 } as const;

function secretsIn(
  fields: SecretFields,
  { secrets, algorithms }: Extract<JwtSettings["keys"], { secrets: unknown }>,
): readonly Uint8Array[] {
  const least = Math.max(...algorithms.map((algorithm) => leastBytes[algorithm]));
  const [first = "", ...others] = secrets;
  const texts: readonly (readonly [name: string, text: string | undefined])[] = [
    [first, fields.text(first)],
    ...others.map((name) => [name, fields.optionalText(name)] as const),
  ];
  return texts.flatMap(([name, text]) => {
    if (text === undefined) return [];
    const bytes = Buffer.from(text, "utf8");
    if (bytes.length >= least) return [bytes];
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

/** Invented key names must not cause requests. */
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
    // May be empty: an issuer that withdraws all keys must not look unavailable.
    return createLocalJWKSet({ keys: set.keys.filter(isRecord).filter(isNamed) });
  };
  // Otherwise a slow issuer's keys would stay valid for 12 hours.
  return createCached({ load, ages: keySetAges, now, random, maxWaitMs: keySetWithinMs });
}

function isNamed(key: Record<string, unknown>): key is Record<string, unknown> & { kty: string } {
  return typeof key.kty === "string";
}
