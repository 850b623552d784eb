import * as z from "zod/mini";
import { isSystemField } from "../../../aws/secrets/parse-secret.ts";
import { duration, durationMs } from "../../../base/config-fields.ts";

/** RFC 7518, section 3.2 */
const secretAlgorithms = ["HS256", "HS384", "HS512"] as const;
/** RFC 7518, sections 3.3 to 3.5; RFC 9864 */
const publicAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** Limit: more would make "expired" meaningless. */
const mostToleranceMs = 300_000;
/**
 * The gateway accepts 10,240 bytes of request line and headers.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const mostCharacters = 9_000;

const publicKeys = z.strictObject({
  /** JWKS (RFC 7517). HTTPS only. */
  url: z.string().check(
    z.refine((text) => URL.canParse(text) && isKeyAddress(new URL(text)), {
      message: "must be an https address without user, password and fragment",
    }),
  ),
  algorithms: z.array(z.enum(publicAlgorithms)).check(z.minLength(1)),
});

/** Fields that other parties know, and could sign logins with. */
const sharedFields = /^\w*([uU]sername|[pP]assword)$/;

const text = z.string().check(z.minLength(1));

const secretName = z.string().check(
  z.minLength(1),
  z.refine((name) => !isSystemField(name) && !sharedFields.test(name), {
    message: "must be a field that is used for this alone",
  }),
);

const sharedSecrets = z.strictObject({
  /** Fields of the app's secret: the one in use, then others still accepted, which may be absent. */
  secrets: z.array(secretName).check(z.minLength(1), z.maxLength(3)),
  algorithms: z.array(z.enum(secretAlgorithms)).check(z.minLength(1)),
});

/** Public keys and shared secrets are never mixed. */
export const jwtSettingsSchema = z.strictObject({
  issuer: text,
  audience: z.array(text).check(z.minLength(1)),
  keys: z.union([publicKeys, sharedSecrets]),
  /** `typ` of the header. Default: `JWT`, or none. */
  typ: z.optional(text),
  /** Maximum age since issue, regardless of the token's own expiration. */
  maxAge: z._default(duration(), "1d"),
  clockTolerance: z._default(
    duration().check(
      z.refine((text) => durationMs(text) <= mostToleranceMs, { message: "must be at most 5min" }),
    ),
    "30s",
  ),
  /** Maximum characters. */
  longest: z._default(z.number().check(z.gte(100), z.lte(mostCharacters)), 8_192),
});

export type JwtSettings = z.infer<typeof jwtSettingsSchema>;

function isKeyAddress({ protocol, username, password, hash }: URL) {
  return protocol === "https:" && username === "" && password === "" && hash === "";
}
