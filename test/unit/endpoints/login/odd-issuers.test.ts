import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KeySetUnavailableError } from "../../../../lib/endpoints/own/jwt/fetch-key-set.ts";
import { createIssuerKey, signToken } from "../../../helpers/tokens.ts";
import { createLoginWorld, issuerKey } from "./login-world.ts";

const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey.export({ format: "jwk" });

/** Keys that cannot verify a signature. */
const brokenKeys: readonly (readonly [name: string, key: object, alg: string])[] = [
  ["is too short", weak, "RS256"],
  ["has no numbers", { kty: "RSA" }, "RS256"],
  ["has numbers of another type", { kty: "RSA", n: 5, e: {} }, "RS256"],
  ["lies on no curve", { kty: "EC", crv: "P-256", x: "AA", y: "AA" }, "ES256"],
  ["has invalid primes", { kty: "RSA", n: issuerKey.jwk.n, e: "AQAB", oth: [1] }, "RS256"],
];

describe("an issuer", () => {
  it.each(brokenKeys)("causes no internal error if one of its keys %s", async (_name, key, alg) => {
    const keys = [issuerKey.jwk, { ...key, kid: "broken" }];
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys }) });

    const named = await login.logIn(login.tokenFor({}, { kid: "broken", alg }));
    const good = await login.logIn(login.tokenFor());

    expect([named.status, good.status]).toEqual([401, 200]);
    const log = login.lines.join("\n");
    expect(log).toContain('"reason":"key-unusable"');
    expect(log).not.toMatch(/RequestFailed|"ERROR"/);
  });

  it("that repairs a key is asked for it again within a minute", async () => {
    let key: object = { ...weak, kid: "key-1" };
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys: [key] }) });
    const before = await login.logIn(login.tokenFor());
    key = issuerKey.jwk;
    login.advance(31_000);

    const after = await login.logIn(login.tokenFor());

    expect([before.status, after.status]).toEqual([401, 200]);
  });

  it("that withdraws all its keys is respected, and asked for new ones within a minute", async () => {
    let keys: readonly object[] = [issuerKey.jwk];
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys }) });
    const before = await login.logIn(login.tokenFor());
    keys = [];
    login.advance(600_000);

    const without = await login.logIn(login.tokenFor());
    keys = [issuerKey.jwk];
    login.advance(31_000);
    const after = await login.logIn(login.tokenFor());

    expect([before, without, after].map(({ status }) => status)).toEqual([200, 503, 200]);
    expect(login.lines.join("\n")).toContain("has no keys");
  });

  it.each(["", "{}", '{"keys":null}', "[]", "<html></html>"])(
    "that answers %j counts as out, and known keys stay valid",
    async (answer) => {
      let text = JSON.stringify({ keys: [issuerKey.jwk] });
      const login = createLoginWorld({ keySet: () => text });
      await login.logIn(login.tokenFor());
      text = answer;
      login.advance(600_000);

      expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 200 });
    },
  );

  it("that omits key ids in its tokens may publish several keys", async () => {
    const next = createIssuerKey("key-2");
    const stranger = createIssuerKey("key-3");
    const keys = [{ ...weak, kid: "broken" }, next.jwk, issuerKey.jwk];
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys }) });
    const tokenOf = (key: typeof next, changed = {}) =>
      signToken(key, { header: { kid: undefined }, claims: login.claims(changed) });

    const answers = [
      await login.logIn(tokenOf(issuerKey)),
      await login.logIn(tokenOf(next)),
      await login.logIn(tokenOf(stranger)),
      await login.logIn(tokenOf(issuerKey, { exp: login.seconds() - 60 })),
    ];

    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [200, undefined],
      [200, undefined],
      [401, "unauthorized"],
      [401, "login_expired"],
    ]);
  });

  it.each([
    ["the same name", "key-1"],
    ["no name", undefined],
  ])("that replaces its key by a new one, under %s, is supported", async (_case, kid) => {
    let key = issuerKey;
    const login = createLoginWorld({ keySet: () => JSON.stringify({ keys: [{ ...key.jwk, kid }] }) });
    const tokenOf = () => signToken(key, { header: { kid }, claims: login.claims() });
    const before = await login.logIn(tokenOf());
    key = createIssuerKey("key-1");
    login.advance(31_000);

    const after = await login.logIn(tokenOf());
    for (let count = 0; count < 20; count += 1) await login.logIn(`${tokenOf().slice(0, -6)}AAAAAA`);

    expect([before.status, after.status, login.fetched.length]).toEqual([200, 200, 2]);
  });

  it("is not asked for keys because of an invalid token", async () => {
    const login = createLoginWorld({
      keySet: () => {
        throw new KeySetUnavailableError("The key set cannot be fetched.");
      },
    });

    const answers = [await login.logIn("a.b.c"), await login.logIn(login.tokenFor({}, { alg: "none" }))];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(login.fetched).toEqual([]);
    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 503 });
  });
});
