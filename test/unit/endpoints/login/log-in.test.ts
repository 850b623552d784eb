import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { KeySetUnavailableError } from "../../../../lib/endpoints/own/jwt/fetch-key-set.ts";
import { createIssuerKey, signToken, signWithSecret } from "../../../helpers/tokens.ts";
import { bySecret, createLoginWorld, issuerKey, sharedSecret } from "./login-world.ts";

const elliptic = createIssuerKey("key-2", "ES256");

type World = ReturnType<typeof createLoginWorld>;

describe("logging in", () => {
  it("answers who is known with a token of the platform, and when the login ends", async () => {
    const login = createLoginWorld();

    const answer = await login.logIn(login.tokenFor({ sub: "alice", exp: login.seconds() + 600 }));

    expect(answer).toMatchObject({
      status: 200,
      body: { uid: "alice", expiresAt: null, loginExpiresAt: login.seconds() + 600 },
      headers: { "cache-control": "no-store", vary: "origin" },
    });
    expect(answer.body.authToken).toMatch(/^alice_/);
    expect(Object.keys(answer.body).toSorted()).toEqual(["authToken", "expiresAt", "loginExpiresAt", "uid"]);
    expect(login.requests).toEqual(["GET /users/alice", "POST /users/alice/auth_tokens"]);
  });

  it("makes a user of whoever is new, from the claims that are named and no others", async () => {
    const login = createLoginWorld({
      settings: {
        user: {
          name: "name",
          avatar: "picture",
          metadata: { department: "dept", staff: "is_staff" },
          role: { claim: "chat_role", allowed: ["default"] },
        },
      },
    });

    const answer = await login.logIn(
      login.tokenFor({
        name: "Ann Berger",
        picture: "https://example.com/ann.png",
        dept: "Sales",
        is_staff: true,
        chat_role: "default",
        email: "ann@example.com",
      }),
    );

    expect(answer.status).toBe(200);
    const ann = await userOf(login, "ann");
    expect(ann).toMatchObject({
      uid: "ann",
      name: "Ann Berger",
      avatar: "https://example.com/ann.png",
      role: "default",
      metadata: { department: "Sales", staff: true },
    });
    expect(JSON.stringify(ann)).not.toContain("ann@example.com");
  });

  it("changes who is known only where the claims say otherwise, and leaves other metadata alone", async () => {
    const login = createLoginWorld({
      settings: { user: { name: "name", metadata: { department: "dept" } } },
    });
    await request(login, "PUT", "/users/alice", { metadata: { theme: "dark", department: "Sales" } });
    login.requests.length = 0;

    await login.logIn(login.tokenFor({ sub: "alice", name: "Alice Nguyen", dept: "Sales" }));
    await login.logIn(login.tokenFor({ sub: "alice", name: "Alice Meyer", dept: "Support" }));

    expect(login.requests.filter((line) => line.startsWith("PUT"))).toEqual(["PUT /users/alice"]);
    expect(await userOf(login, "alice")).toMatchObject({
      name: "Alice Meyer",
      metadata: { theme: "dark", department: "Support" },
    });
  });

  it("makes one user of two first logins at the same time", async () => {
    const login = createLoginWorld();

    const answers = await Promise.all([login.logIn(login.tokenFor()), login.logIn(login.tokenFor())]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("refuses who is unknown where it is not to make users", async () => {
    const login = createLoginWorld({ settings: { user: { unknown: "refuse" } } });

    const answer = await login.logIn(login.tokenFor());

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "user_unknown" } } });
    expect(login.requests).toEqual(["GET /users/ann"]);
  });

  it("refuses a deactivated user, and activates nobody", async () => {
    const login = createLoginWorld();
    await request(login, "DELETE", "/users", { uidsToDeactivate: ["bob"] });

    const answer = await login.logIn(login.tokenFor({ sub: "bob" }));

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "user_deactivated" } } });
    expect(answer.text).not.toContain("bob");
  });

  it("refuses a role that logins may not name, and makes nobody of it", async () => {
    const login = createLoginWorld({
      settings: { user: { role: { claim: "chat_role", allowed: ["default", "premium"] } } },
    });

    const answer = await login.logIn(login.tokenFor({ chat_role: "administrator" }));

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "role_not_allowed" } } });
    expect(login.requests).toEqual([]);
  });

  it("mints only with a key of scope authOnly, and says so where the user is missing", async () => {
    const login = createLoginWorld();
    Object.assign(login.secrets.get("stage/local-app") ?? {}, { apiKey: login.platform.keys.authOnlyKey });

    const known = await login.logIn(login.tokenFor({ sub: "alice", name: "Somebody Else" }));
    const missing = await login.logIn(login.tokenFor({ sub: "ann" }));

    expect(known).toMatchObject({ status: 200, body: { uid: "alice" } });
    expect(missing).toMatchObject({
      status: 403,
      text: '{"error":{"code":"user_unknown","message":"There is no such user, and this function may not create one."}}',
    });
    expect(login.requests.filter((line) => /^(POST|PUT) \/users(\/\w+)?$/.test(line))).toEqual([]);
  });

  it("keeps the token that was issued before, or makes a new one each time, as configured", async () => {
    const [kept, fresh] = [createLoginWorld(), createLoginWorld({ settings: { token: "new" } })];
    const twice = async (login: World) => {
      const first = await login.logIn(login.tokenFor());
      const second = await login.logIn(login.tokenFor());
      return first.body.authToken === second.body.authToken;
    };

    expect(await twice(kept)).toBe(true);
    expect(await twice(fresh)).toBe(false);
  });

  it("passes no token on that is somebody else's", async () => {
    const login = createLoginWorld();
    login.world.answer = ({ path }) =>
      path.endsWith("/auth_tokens")
        ? Response.json({ data: { uid: "bob", authToken: "bob_1767225600secret", createdAt: 1 } })
        : undefined;

    const answer = await login.logIn(login.tokenFor());

    expect(answer).toMatchObject({ status: 500, body: { error: { code: "internal_error" } } });
    expect(answer.text + login.lines.join("\n")).not.toContain("1767225600secret");
  });

  it.each([
    ["silent", () => new Response("", { status: 504 })],
    [
      "overrun",
      () => Response.json({ error: { code: "ERR_TOO_MANY_REQUESTS", message: "" } }, { status: 429 }),
    ],
  ])("answers 503 while the platform is %s", async (_case, answer) => {
    const login = createLoginWorld();
    login.world.answer = answer;

    expect(await login.logIn(login.tokenFor())).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable" } },
    });
  });

  it("leaves no token, key or claim in the log", async () => {
    const login = createLoginWorld({ settings: { user: { name: "name", metadata: { mail: "email" } } } });
    const token = login.tokenFor({ name: "Ann Berger", email: "ann@example.com" });

    const { body } = await login.logIn(token);

    const told = login.lines.join("\n");
    expect(told).toContain("LoginUser");
    for (const secret of [
      ...token.split("."),
      body.authToken,
      login.platform.keys.fullAccessKey,
      "Berger",
      "@example",
    ]) {
      expect(told).not.toContain(secret);
    }
  });

  it("takes metadata for full without keeping anybody out", async () => {
    const login = createLoginWorld({ settings: { user: { metadata: { department: "dept" } } } });
    await request(login, "PUT", "/users/alice", { metadata: { notes: "x".repeat(5_095) } });

    const answer = await login.logIn(login.tokenFor({ sub: "alice", dept: "Sales" }));

    expect(answer.status).toBe(200);
    expect(login.lines.join("\n")).toContain("no room for what the login says");
  });
});

describe("who is let in", () => {
  it.each([
    ["with one of several audiences", (login: World) => login.tokenFor({ aud: ["shop", "chat"] })],
    ["without a typ", (login: World) => login.tokenFor({}, { typ: undefined })],
    ["with the typ's long form", (login: World) => login.tokenFor({}, { typ: "application/JWT" })],
    [
      "with places of keys that nobody looks at",
      (login: World) => login.tokenFor({}, { jku: "https://evil.example.com" }),
    ],
    [
      "with a clock that is 20 s ahead",
      (login: World) => login.tokenFor({ iat: login.seconds() + 20, nbf: login.seconds() + 20 }),
    ],
    ["20 s after the end", (login: World) => login.tokenFor({ exp: login.seconds() - 20 })],
    ["without a kid, as there is one key", (login: World) => login.tokenFor({}, { kid: undefined })],
  ])("%s", async (_name, make) => {
    const login = createLoginWorld();

    expect(await login.logIn(make(login))).toMatchObject({ status: 200, body: { uid: "ann" } });
  });

  it("with a shared secret, the replaced one included while the secret has it", async () => {
    const login = createLoginWorld({
      settings: { login: { ...withSecrets("loginSecret", "replacedLoginSecret") } },
      secret: { replacedLoginSecret: `${sharedSecret}-before` },
    });

    const answers = [
      await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() })),
      await login.logIn(signWithSecret(`${sharedSecret}-before`, { claims: login.claims() })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("with a shared secret that was just changed, without a new process", async () => {
    const login = createLoginWorld({ settings: { login: bySecret } });
    await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() }));
    Object.assign(login.secrets.get("stage/local-app") ?? {}, { loginSecret: `${sharedSecret}-after` });
    login.advance(6_000);

    const answers = [
      await login.logIn(signWithSecret(`${sharedSecret}-after`, { claims: login.claims() })),
      await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it("not with a secret that can be guessed: nobody is, and the log says which field", async () => {
    const login = createLoginWorld({ settings: { login: bySecret }, secret: { loginSecret: "short" } });

    const answer = await login.logIn(signWithSecret("short", { claims: login.claims() }));

    expect(answer.status).toBe(503);
    expect(login.lines.join("\n")).toMatch(/loginSecret.*at least 32 bytes/);
  });

  it("with a key that the issuer began to use after the set was read; asked for at most twice a minute", async () => {
    let keys = [issuerKey.jwk];
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys }) });
    await login.logIn(login.tokenFor());
    keys = [issuerKey.jwk, elliptic.jwk];
    login.advance(31_000);

    const rotated = await login.logIn(signToken(elliptic, { claims: login.claims() }));
    for (let count = 0; count < 50; count += 1) {
      await login.logIn(login.tokenFor({}, { kid: `made-up-${count}` }));
    }

    expect(rotated.status).toBe(200);
    expect(login.fetched.length).toBe(2);
  });

  it("not with a key that the issuer withdrew, after ten minutes", async () => {
    let keys = [issuerKey.jwk, elliptic.jwk];
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys }) });
    await login.logIn(login.tokenFor());
    keys = [elliptic.jwk];
    login.advance(600_000);

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 401 });
  });

  it("with known keys while the issuer is out, and nobody where none were ever read", async () => {
    let isOut = false;
    const keySet = () => {
      if (isOut) throw new KeySetUnavailableError("The issuer is out.");
      return JSON.stringify({ keys: [issuerKey.jwk] });
    };
    const login = createLoginWorld({ keySet });
    await login.logIn(login.tokenFor());
    isOut = true;
    login.advance(3_600_000);

    const late = await login.logIn(login.tokenFor());
    login.advance(12 * 3_600_000);
    const tooLate = await login.logIn(login.tokenFor());

    expect([late.status, tooLate.status]).toEqual([200, 503]);
  });

  it.each(["", "[]", '{"keys":"none"}', "<html>"])("nobody by the key set %j", async (text) => {
    const login = createLoginWorld({ keySet: () => text });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 503 });
    expect(login.requests).toEqual([]);
  });

  it("nobody by a shared key that stands in a published set", async () => {
    const oct = {
      kty: "oct",
      k: Buffer.from(sharedSecret).toString("base64url"),
      kid: "oct-1",
      alg: "HS256",
    };
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys: [oct, issuerKey.jwk] }) });

    const answer = await login.logIn(
      signWithSecret(sharedSecret, { header: { kid: "oct-1" }, claims: login.claims() }),
    );

    expect(answer.status).toBe(401);
  });
});

describe("the limits", () => {
  it("let a user log in ten times in ten minutes, however many addresses that has, and others as before", async () => {
    const login = createLoginWorld();
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await login.logIn(login.tokenFor(), { sourceIp: `203.0.113.${count}` })).status);
    }
    const refused = await login.logIn(login.tokenFor());
    const other = await login.logIn(login.tokenFor({ sub: "alice" }));
    login.advance(600_000);
    const later = await login.logIn(login.tokenFor());

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(refused).toMatchObject({
      body: { error: { code: "too_many_requests" } },
      headers: { "retry-after": "600" },
    });
    expect([other.status, later.status]).toEqual([200, 200]);
  });

  it("keep no uid on the table, and let items expire", async () => {
    const login = createLoginWorld();

    await login.logIn(login.tokenFor({ sub: "alice" }));

    const [item] = login.table.items();
    expect(JSON.stringify(item)).not.toContain("alice");
    expect(item).toMatchObject({ logins: 1, expiration: login.seconds() + 600 + 3_600 });
  });

  it("refuse an address that asks too often before it is known who asks, at no cost", async () => {
    const login = createLoginWorld({ settings: { limits: { perSource: 3 } } });
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await login.logIn("forged")).status);

    const refused = await login.logIn(login.tokenFor());
    const other = await login.logIn(login.tokenFor(), { sourceIp: "203.0.113.8" });
    login.advance(200_000);
    const later = await login.logIn(login.tokenFor());

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(refused.headers["retry-after"]).toBe("200");
    expect([refused.status, other.status, later.status]).toEqual([429, 200, 200]);
  });

  it("take a whole IPv6 network for one address", async () => {
    const login = createLoginWorld({ settings: { limits: { perSource: 1 } } });

    const statuses = [
      await login.logIn("forged", { sourceIp: "2001:db8:0:1::1" }),
      await login.logIn("forged", { sourceIp: "2001:0DB8:0000:0001:ffff::2" }),
      await login.logIn("forged", { sourceIp: "2001:db8:0:2::1" }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([401, 429, 401]);
  });

  it("let people in while the table is out, and say so", async () => {
    const call = { service: "dynamodb", target: "DynamoDB_20120810.UpdateItem", input: {} } as const;
    const login = createLoginWorld({
      countLogin: async () => {
        throw new AwsCallError(call, { code: "ETIMEDOUT", maybeExecuted: true });
      },
    });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 200 });
    expect(login.lines.join("\n")).toContain("LoginNotCounted");
  });
});

describe("pages that ask", () => {
  const settings = { origins: ["https://app.example.com", "http://localhost:5173"] };

  it.each(settings.origins)("hear that %s may read the answer", async (origin) => {
    const login = createLoginWorld({ settings });

    const preflight = await login.logIn("", { method: "OPTIONS", headers: { origin } });
    const answer = await login.logIn(login.tokenFor(), { headers: { origin } });

    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-headers": "authorization, content-type",
        vary: "origin",
      },
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": origin, vary: "origin" },
    });
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it.each([
    "https://evil.example.com",
    "https://app.example.com.evil.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://APP.example.com",
    "null",
    "*",
    "",
  ])("of origin %j are refused, before their login is looked at", async (origin) => {
    const login = createLoginWorld({ settings });

    for (const method of ["OPTIONS", "POST"]) {
      const answer = await login.logIn(login.tokenFor(), { method, headers: { origin } });
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { code: "origin_not_allowed" } },
        headers: { vary: "origin" },
      });
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
    expect(login.fetched).toEqual([]);
  });

  it("can read when to come again", async () => {
    const login = createLoginWorld({ settings: { ...settings, limits: { perSource: 1 } } });
    const headers = { origin: "https://app.example.com" };
    await login.logIn(login.tokenFor(), { headers });

    const answer = await login.logIn(login.tokenFor(), { headers });

    // Of other headers, pages see a few harmless ones alone: https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
    expect(answer).toMatchObject({
      status: 429,
      headers: { "retry-after": "600", "access-control-expose-headers": "retry-after" },
    });
  });

  it("can read a refusal, too", async () => {
    const login = createLoginWorld({ settings });

    const answer = await login.logIn("forged", { headers: { origin: "https://app.example.com" } });

    expect(answer).toMatchObject({
      status: 401,
      headers: { "access-control-allow-origin": "https://app.example.com", "www-authenticate": "Bearer" },
    });
  });
});

describe("the endpoint that is off", () => {
  it("answers 404 to everybody, whatever they bring", async () => {
    const login = createLoginWorld({ settings: { login: "off" } });

    expect(await login.logIn(login.tokenFor())).toMatchObject({
      status: 404,
      body: { error: { code: "not_configured" } },
    });
    expect([...login.requests, ...login.fetched]).toEqual([]);
  });
});

function withSecrets(...secrets: string[]) {
  if (typeof bySecret === "string") throw new Error("The settings of these tests are on.");
  return { ...bySecret, keys: { secrets, algorithms: ["HS256" as const] } };
}

async function userOf(login: World, uid: string) {
  const { data } = await request(login, "GET", `/users/${uid}`);
  return data;
}

async function request(
  login: World,
  method: string,
  path: string,
  body?: object,
): Promise<{ data?: unknown }> {
  const { platform } = login;
  const response = await platform.fetch(`${platform.appUrl("local-app")}${path}`, {
    method,
    headers: { apikey: platform.keys.fullAccessKey, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { data?: unknown };
}
