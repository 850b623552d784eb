import type * as z from "zod/mini";
import { buildLogin } from "../../../../lib/endpoints/login/log-in.ts";
import { createLoginLimit, type LoginLimit } from "../../../../lib/endpoints/login/login-limit.ts";
import { loginSettingsSchema } from "../../../../lib/endpoints/login/login-settings.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import {
  callFunction,
  createOwnWorld,
  type OwnRequest,
  type OwnWorldOptions,
} from "../../../helpers/own-world.ts";
import { createIssuerKey, signToken, type TokenParts } from "../../../helpers/tokens.ts";

export const issuer = "https://login.example.com/";
export const sharedSecret = "a-secret-of-forty-characters-and-no-less";

/** The issuer's key: made once, because that is slow. */
export const issuerKey = createIssuerKey("key-1");

type LoginInput = z.input<typeof loginSettingsSchema>["login"];

/** The default login of these tests. */
export const byKeySet: LoginInput = {
  issuer,
  audience: ["chat"],
  keys: { url: "https://login.example.com/jwks.json", algorithms: ["RS256", "ES256"] },
};
export const bySecret: LoginInput = {
  issuer,
  audience: ["chat"],
  keys: { secrets: ["loginSecret"], algorithms: ["HS256"] },
};

export interface LoginWorldOptions extends OwnWorldOptions {
  /** The content of config/auth-token.yml. Default: a login by key set. */
  readonly settings?: Partial<z.input<typeof loginSettingsSchema>>;
  /** The issuer's answer to requests for its keys. */
  readonly keySet?: () => string;
  readonly limit?: LoginLimit;
}

/** The login endpoint on the platform in memory, with an issuer whose key set holds `issuerKey`. */
export function createLoginWorld(options: LoginWorldOptions = {}) {
  const { settings = {}, keySet = () => JSON.stringify({ keys: [issuerKey.jwk] }), limit } = options;
  const world = createOwnWorld({ ...options, secret: { loginSecret: sharedSecret, ...options.secret } });
  const fetched: string[] = [];
  const table = createMemoryTable("id");
  const parsed = loginSettingsSchema.parse({ login: byKeySet, ...settings });
  const handler = buildLogin(() => parsed, {
    keys: {
      now: world.now,
      fetchKeySet: async (url) => {
        fetched.push(url);
        return keySet();
      },
    },
    limitUntil: () => limit ?? createLoginLimit(table, world.now),
  }).on(world.services);

  const seconds = () => Math.floor(world.now() / 1_000);
  /** Valid claims with the given changes; undefined removes one. */
  const claims = (changed: Readonly<Record<string, unknown>> = {}) => ({
    iss: issuer,
    aud: "chat",
    sub: "ann",
    iat: seconds() - 10,
    exp: seconds() + 600,
    ...changed,
  });
  const tokenFor = (changed: Readonly<Record<string, unknown>> = {}, header: TokenParts["header"] = {}) =>
    signToken(issuerKey, { header, claims: claims(changed) });
  const logIn = (token: string, request: OwnRequest = {}) =>
    callFunction(handler, {
      ...request,
      headers: { authorization: `Bearer ${token}`, ...request.headers },
    });
  return { ...world, world, table, fetched, handler, seconds, claims, tokenFor, logIn };
}
