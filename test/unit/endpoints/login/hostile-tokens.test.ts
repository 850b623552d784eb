import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../helpers/any-text.ts";
import { runs } from "../../../helpers/property-runs.ts";
import { createIssuerKey, part, signParts, signToken, signWithSecret } from "../../../helpers/tokens.ts";
import { bySecret, createLoginWorld, issuer, issuerKey, sharedSecret } from "./login-world.ts";

const stranger = createIssuerKey("key-1");
const publicPem = issuerKey.publicKey.export({ type: "spki", format: "pem" }).toString();

type World = ReturnType<typeof createLoginWorld>;
type Make = (world: World) => string;

const unsigned = (alg: string) => (world: World) => `${part({ alg, typ: "JWT" })}.${part(world.claims())}.`;
const withSignatureOf = (header: object) => (world: World) => {
  const [, claims = "", signature = ""] = world.tokenFor().split(".");
  return `${part(header)}.${claims}.${signature}`;
};
const claiming = (changed: Record<string, unknown>) => (world: World) => world.tokenFor(changed);
const heading = (header: Record<string, unknown>) => (world: World) => world.tokenFor({}, header);
/** Not a login, therefore answered 401; the metric has the reason. */
const noLogins: readonly (readonly [name: string, reason: string, make: Make])[] = [
  ["nothing", "no-credentials", () => ""],
  [
    "alg none over another token's signature",
    "algorithm",
    withSignatureOf({ alg: "none", typ: "JWT", kid: "key-1" }),
  ],
  [
    "the key of a stranger under the right kid",
    "signature",
    (world) => signToken(stranger, { claims: world.claims() }),
  ],
  [
    "HS256 with the public key's PEM as the secret",
    "algorithm",
    (world) => signWithSecret(publicPem, { claims: world.claims(), header: { kid: "key-1" } }),
  ],
  [
    "a header that names another algorithm than the key's",
    "key",
    withSignatureOf({ alg: "ES256", typ: "JWT", kid: "key-1" }),
  ],
  ["a kid that is a path", "key", heading({ kid: "../../../../dev/null" })],
  ["an unknown kid", "key", heading({ kid: "key-2" })],
  [
    "a key that it brings along (jwk)",
    "key",
    (world) => signToken(stranger, { header: { jwk: stranger.jwk, kid: "own" }, claims: world.claims() }),
  ],
  [
    "an address of keys (jku)",
    "key",
    (world) =>
      signToken(stranger, {
        header: { jku: "https://evil.example.com/jwks.json", kid: "own" },
        claims: world.claims(),
      }),
  ],
  [
    "claims changed by one byte",
    "signature",
    (world) => {
      const [head, , signature] = world.tokenFor().split(".");
      return `${head}.${part(world.claims({ sub: "bob" }))}.${signature}`;
    },
  ],
  ["another issuer", "iss", claiming({ iss: "https://login.example.com" })],
  ["an issuer in a list", "iss", claiming({ iss: [issuer] })],
  ["no issuer", "iss", claiming({ iss: undefined })],
  ["another audience", "aud", claiming({ aud: "shop" })],
  ["an audience that begins alike", "aud", claiming({ aud: "chat-admin" })],
  ["no audience", "aud", claiming({ aud: undefined })],
  ["no exp", "exp", claiming({ exp: undefined })],
  ["exp as a text", "exp", claiming({ exp: "9999999999" })],
  [
    "exp beyond all numbers",
    "exp",
    (world) =>
      signToken(issuerKey, { claims: JSON.stringify(world.claims()).replace(/"exp":\d+/, '"exp":1e999') }),
  ],
  [
    "exp and iat in milliseconds",
    "iat",
    (world) => world.tokenFor({ iat: world.now(), exp: world.now() + 600_000 }),
  ],
  ["not yet valid", "nbf", (world) => world.tokenFor({ nbf: world.seconds() + 120 })],
  ["issued in the future", "iat", (world) => world.tokenFor({ iat: world.seconds() + 120 })],
  [
    "issued too long ago, although it expires in a year",
    "too-old",
    (world) => world.tokenFor({ iat: world.seconds() - 90_000, exp: world.seconds() + 31_536_000 }),
  ],
  ["no iat", "iat", claiming({ iat: undefined })],
  [
    "claims that are no UTF-8",
    "form",
    (world) => {
      const bytes = Buffer.from(JSON.stringify(world.claims({ name: "\u00ff" })), "latin1");
      const [head = ""] = world.tokenFor().split(".");
      return signParts(issuerKey, head, bytes.toString("base64url"));
    },
  ],
];

/** Logins of the issuer without a usable uid: answered 403. */
const noUids: readonly (readonly [name: string, sub: unknown])[] = [
  ["a list", ["ann"]],
  ["nothing", undefined],
  ["a reserved uid", "support"],
];

const uidNotUsable = {
  code: "uid_not_usable",
  message: "This login does not name a user who can have an account here.",
};

describe("a hostile token", () => {
  it.each(noLogins)("with %s is not a login (%s), and causes no request", async (_name, reason, make) => {
    const login = createLoginWorld();

    const answer = await login.logIn(make(login));

    expect(answer).toMatchObject({
      status: 401,
      text: '{"error":{"code":"unauthorized","message":"The credentials are missing or wrong."}}',
    });
    expect(login.lines.join("\n")).toContain(`"reason":"${reason}"`);
    expect(login.requests).toEqual([]);
    expect(login.fetched.every((url) => url === "https://login.example.com/jwks.json")).toBe(true);
    expect(login.table.items()).toEqual([]);
  });

  it.each(noUids)("whose sub is %s has no usable uid, and causes no request", async (_name, sub) => {
    const login = createLoginWorld({ settings: { user: { uid: { reserved: ["Support"] } } } });

    const answer = await login.logIn(login.tokenFor({ sub }));

    expect(answer).toMatchObject({ status: 403, body: { error: uidNotUsable } });
    expect(login.requests).toEqual([]);
  });

  it("is reported as expired, so that a page can renew it, unless it is forged", async () => {
    const login = createLoginWorld();
    const expired = { exp: login.seconds() - 60 };

    const answers = [
      await login.logIn(login.tokenFor(expired)),
      await login.logIn(signToken(stranger, { claims: login.claims(expired) })),
    ];

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [401, "login_expired"],
      [401, "unauthorized"],
    ]);
    expect(answers[0]?.body.error.message).toBe("The login has expired.");
    expect(answers[0]?.headers["www-authenticate"]).toBe("Bearer");
  });

  it.each([
    ["RS256 where a secret is shared", (login: World) => login.tokenFor()],
    [
      "HS384 where HS256 is configured",
      (login: World) =>
        signWithSecret(sharedSecret, { header: { alg: "HS384" }, claims: login.claims() }, "sha384"),
    ],
    ["another secret", (login: World) => signWithSecret(`${sharedSecret}x`, { claims: login.claims() })],
    ["alg none", unsigned("none")],
    [
      "the platform's key as the secret",
      (login: World) => signWithSecret(login.platform.keys.fullAccessKey, { claims: login.claims() }),
    ],
  ])("with %s is not a login", async (_name, make) => {
    const login = createLoginWorld({ settings: { login: bySecret } });

    const answer = await login.logIn(make(login));

    expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
    expect(login.fetched).toEqual([]);
  });

  it("in two headers, a query or a cookie is ignored", async () => {
    const login = createLoginWorld();
    const token = login.tokenFor();

    const answers = [
      await login.logIn("", { headers: { authorization: `Bearer ${token},Bearer ${token}` } }),
      await login.logIn("", { headers: { authorization: `x Bearer ${token}` } }),
      await login.logIn("", { query: { access_token: token } }),
      await login.logIn("", { body: { token } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it("leaves no trace of the token, a key or a claim in the log", async () => {
    const login = createLoginWorld();
    const told: string[] = [];

    for (const [, , make] of noLogins) {
      const token = make(login);
      const { text } = await login.logIn(token);
      told.push(text);
      for (const piece of token.split(".").filter(({ length }) => length > 20)) {
        expect(login.lines.join("\n").includes(piece)).toBe(false);
      }
    }

    expect([...login.lines, ...told].join("\n")).not.toMatch(/ann|bob|evil|key-1|BEGIN PUBLIC|dev\/null/);
    expect(login.lines.length).toBeGreaterThan(20);
  });

  it("is always refused, and never causes an internal error", async () => {
    const login = createLoginWorld({ settings: { limits: { perSource: 1_000_000 } } });
    const good = login.tokenFor();
    const texts = fc.oneof(
      anyText({ maxLength: 300 }),
      fc
        .tuple(fc.json(), fc.json(), fc.base64String())
        .map(([head, claims, end]) => `${part(head)}.${part(claims)}.${end}`),
      fc
        .record({
          alg: fc.constantFrom("RS256", "ES256", "none", "HS256"),
          kid: fc.anything(),
          typ: fc.anything(),
        })
        .map((header) => `${part(safely(header))}.${part(login.claims())}.AAAA`),
      fc
        .tuple(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 3 }))
        .map(([at, piece]) => good.slice(0, at) + piece + good.slice(at + piece.length))
        .filter((token) => token !== good),
    );

    await fc.assert(
      fc.asyncProperty(texts, async (token) => {
        const { status } = await login.logIn(token);
        expect(status).toBe(401);
      }),
      runs(50),
    );

    expect(login.requests).toEqual([]);
  });
});

function safely(value: object): object {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return {};
  }
}
