import { describe, expect, it } from "vitest";
import { KeySetUnavailableError } from "../../../../lib/endpoints/own/jwt/fetch-key-set.ts";
import { createIssuerKey, signToken, signWithSecret } from "../../../helpers/tokens.ts";
import { bySecret, createLoginWorld, issuer, issuerKey, sharedSecret } from "./login-world.ts";

const elliptic = createIssuerKey("key-2", "ES256");

type World = ReturnType<typeof createLoginWorld>;

describe("a login is accepted", () => {
  it.each([
    ["with one of several audiences", (login: World) => login.tokenFor({ aud: ["shop", "chat"] })],
    ["without a typ", (login: World) => login.tokenFor({}, { typ: undefined })],
    ["with the typ's long form", (login: World) => login.tokenFor({}, { typ: "application/JWT" })],
    [
      "with addresses of keys, which are ignored",
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

  it("for the app that it was meant for, if the audience names it", async () => {
    const keys = { url: "https://login.example.com/jwks.json", algorithms: ["RS256" as const] };
    const login = createLoginWorld({ settings: { login: { issuer, audience: ["chat-{appId}"], keys } } });

    const answers = await Promise.all(
      ["chat-local-app", "chat-other", "chat-{appId}"].map((aud) => login.logIn(login.tokenFor({ aud }))),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
  });

  it("with a shared secret, and with the replaced one while the secret has it", async () => {
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

  it("with a changed shared secret, without a new process", async () => {
    const login = createLoginWorld({ settings: { login: bySecret } });
    await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() }));
    Object.assign(login.secrets.get("kit/local-app") ?? {}, { loginSecret: `${sharedSecret}-after` });
    login.advance(6_000);

    const answers = [
      await login.logIn(signWithSecret(`${sharedSecret}-after`, { claims: login.claims() })),
      await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it("not with a guessable secret: all are refused, and the log names the field", async () => {
    const login = createLoginWorld({ settings: { login: bySecret }, secret: { loginSecret: "short" } });

    const answer = await login.logIn(signWithSecret("short", { claims: login.claims() }));

    expect(answer.status).toBe(503);
    expect(login.lines.join("\n")).toMatch(/loginSecret.*at least 32 bytes/);
  });

  it("with an issuer's new key, requested at most twice a minute", async () => {
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

  it("with a new key as soon as the issuer is back; until then the answer is 503, not 401", async () => {
    let [isOut, keys] = [false, [issuerKey.jwk]];
    const keySet = () => {
      if (isOut) throw new KeySetUnavailableError("The issuer is out.");
      return JSON.stringify({ keys });
    };
    const login = createLoginWorld({ keySet });
    const statusOf = async (token: string) => (await login.logIn(token)).status;
    const withNewKey = () => signToken(elliptic, { claims: login.claims() });
    await login.logIn(login.tokenFor());
    login.advance(300_000);
    [isOut, keys] = [true, [elliptic.jwk]];

    const during = [
      await statusOf(withNewKey()),
      await statusOf(withNewKey()),
      await statusOf(login.tokenFor()),
    ];
    const fetchedDuring = login.fetched.length;
    isOut = false;
    login.advance(1_000);
    const after = [await statusOf(withNewKey()), await statusOf(login.tokenFor({}, { kid: "made-up" }))];

    expect([during, fetchedDuring]).toEqual([[503, 503, 200], 2]);
    expect([after, login.fetched.length]).toEqual([[200, 401], 3]);
  });

  it("with a new shared secret as soon as it can be read; until then the answer is 503", async () => {
    const login = createLoginWorld({ settings: { login: bySecret } });
    const statusOf = async (secret: string) =>
      (await login.logIn(signWithSecret(secret, { claims: login.claims() }))).status;
    await statusOf(sharedSecret);
    const fields = login.secrets.get("kit/local-app") ?? {};
    login.secrets.delete("kit/local-app");
    login.advance(6_000);

    const during = [await statusOf(`${sharedSecret}-after`), await statusOf(sharedSecret)];
    login.secrets.set("kit/local-app", { ...fields, loginSecret: `${sharedSecret}-after` });
    login.advance(1_000);
    const after = [await statusOf(`${sharedSecret}-after`), await statusOf(sharedSecret)];

    expect([during, after]).toEqual([
      [503, 200],
      [200, 401],
    ]);
  });

  it("with any listed secret, in any order; without one never, and the log names the first", async () => {
    const settings = { login: withSecrets("nextSecret", "loginSecret") };
    const login = createLoginWorld({ settings });
    const without = createLoginWorld({ settings, secret: { loginSecret: "" } });

    const answers = [
      await login.logIn(signWithSecret(sharedSecret, { claims: login.claims() })),
      await without.logIn(signWithSecret(sharedSecret, { claims: without.claims() })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    expect(without.lines.join("\n")).toMatch(/has no text in \W*nextSecret/);
  });

  it("with known keys while the issuer is out, but not without known keys", async () => {
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

  it.each([32, 48, 64])("with a shared secret of its digest's size: %i bytes", async (least) => {
    const algorithms = (["HS256", "HS384", "HS512"] as const).slice(0, least / 16 - 1);
    const statusOf = async (secret: string) => {
      const settings = {
        login: { ...withSecrets("loginSecret"), keys: { secrets: ["loginSecret"], algorithms } },
      };
      const login = createLoginWorld({ settings, secret: { loginSecret: secret } });
      return (await login.logIn(signWithSecret(secret, { claims: login.claims() }))).status;
    };

    expect([
      await statusOf("a-login-key ".repeat(6).slice(0, least)),
      await statusOf("a-login-key ".repeat(6).slice(1, least)),
    ]).toEqual([200, 503]);
  });

  it.each(["", "[]", '{"keys":"none"}', "<html>", keySetOf(101)])("not with the key set %j", async (text) => {
    const login = createLoginWorld({ keySet: () => text });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 503 });
    expect(login.requests).toEqual([]);
    expect(login.lines.join("\n")).toContain("The answer of login.example.com is not a key set.");
  });

  it("with a key set of the maximum size that has invalid keys", async () => {
    const login = createLoginWorld({ keySet: () => keySetOf(100) });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 200 });
  });

  it("not with a shared key in a published key set", async () => {
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

/** A key set of this size, whose last key is the issuer's. */
function keySetOf(count: number) {
  const others = Array.from({ length: count - 1 }, (_, at) => (at % 2 === 0 ? null : { kid: "no-kty" }));
  return JSON.stringify({ keys: [...others, issuerKey.jwk] });
}

function withSecrets(...secrets: string[]) {
  if (typeof bySecret === "string") throw new Error("The settings of these tests are on.");
  return { ...bySecret, keys: { secrets, algorithms: ["HS256" as const] } };
}
