import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, copyProject, type DeployedCopy, deployCopy, removeCopy } from "../helpers/project-copy.ts";
import { createSelfSigned } from "../helpers/self-signed.ts";
import { createIssuerKey, part, signToken, signWithSecret } from "../helpers/tokens.ts";

const key = createIssuerKey("key-1");
const stranger = createIssuerKey("key-1");
const origin = "https://app.example.com";

describe("the login of docs/functions.md, deployed on this machine with an issuer that speaks TLS", () => {
  let issuer: Server;
  let certificates: string;
  let folder: string;
  let copy: DeployedCopy;
  let url: string;

  beforeAll(async () => {
    const certificate = createSelfSigned(["localhost"]);
    certificates = mkdtempSync(join(tmpdir(), "issuer-"));
    writeFileSync(join(certificates, "ca.pem"), certificate.cert);
    issuer = createServer(certificate, (_request, response) => {
      response.end(JSON.stringify({ keys: [key.jwk] }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
    const { port } = issuer.address() as AddressInfo;

    const keySet = "https://login.example.com/.well-known/jwks.json";
    const files = Object.entries(blocksOf("docs/functions.md"))
      .filter(([file]) => file.startsWith("config/"))
      .map(([file, text]) => [file, text.replace(keySet, `https://localhost:${port}/jwks.json`)]);
    folder = copyProject(Object.fromEntries(files));
    copy = await deployCopy(folder, {}, { NODE_EXTRA_CA_CERTS: join(certificates, "ca.pem") });
    url = `${copy.cloud.httpUrl}/auth-token/local-app`;
  });
  afterAll(async () => {
    await copy?.close();
    issuer.close();
    removeCopy(folder);
    rmSync(certificates, { recursive: true, force: true });
  });

  const claims = (changed: object = {}) => {
    const seconds = Math.floor(Date.now() / 1_000);
    return {
      iss: "https://login.example.com/",
      aud: "chat",
      sub: "ann",
      iat: seconds,
      exp: seconds + 600,
      ...changed,
    };
  };
  const logIn = async (token: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  };
  const api = async (path: string) => {
    const answer = await fetch(`${copy.platform.appUrl("local-app")}${path}`, {
      headers: { apikey: copy.app.fullAccessKey },
    });
    return JSON.parse(await answer.text());
  };

  it("makes a user of a login, and a token that is good for that user", async () => {
    const token = signToken(key, {
      claims: claims({ name: "Ann Berger", picture: "https://example.com/ann.png", dept: "Sales" }),
    });

    const { status, body, headers } = await logIn(token, { origin });

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        uid: "ann",
        authToken: expect.stringMatching(/^ann_/),
        expiresAt: null,
        loginExpiresAt: expect.any(Number),
      },
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect((await api("/users/ann")).data).toMatchObject({
      name: "Ann Berger",
      avatar: "https://example.com/ann.png",
      metadata: { department: "Sales" },
    });
    expect((await api(`/users/ann/auth_tokens/${body.authToken}`)).data).toMatchObject({ uid: "ann" });
  });

  it.each([
    ["alg none", () => `${part({ alg: "none", typ: "JWT" })}.${part(claims())}.`],
    ["a stranger's key", () => signToken(stranger, { claims: claims() })],
    [
      "the public key as a secret",
      () => signWithSecret(JSON.stringify(key.jwk), { header: { kid: "key-1" }, claims: claims() }),
    ],
    ["another audience", () => signToken(key, { claims: claims({ aud: "shop" }) })],
    ["another issuer", () => signToken(key, { claims: claims({ iss: "https://evil.example.com/" }) })],
    ["a start in the future", () => signToken(key, { claims: claims({ nbf: 9_999_999_999 }) })],
    ["8,193 characters and more", () => signToken(key, { claims: claims({ filling: "x".repeat(6_200) }) })],
  ])("refuses %s", async (_name, make) => {
    const { status, body } = await logIn(make());

    expect({ status, body }).toEqual({
      status: 401,
      body: { error: { code: "unauthorized", message: "The credentials are missing or wrong." } },
    });
  });

  it("refuses a login that is over, odd uids, and those that are reserved", async () => {
    const codes = [
      await logIn(signToken(key, { claims: claims({ iat: 1_700_000_000, exp: 1_700_000_600 }) })),
      await logIn(signToken(key, { claims: claims({ sub: "Ann" }) })),
      await logIn(signToken(key, { claims: claims({ sub: "ann/../bob" }) })),
      await logIn(signToken(key, { claims: claims({ sub: "support" }) })),
    ].map(({ status, body }) => [status, body.error.code]);

    expect(codes).toEqual([
      [401, "login_expired"],
      [403, "uid_not_usable"],
      [403, "uid_not_usable"],
      [403, "uid_not_usable"],
    ]);
  });

  it("answers a browser's preflight for the listed page alone", async () => {
    const preflight = async (from: string) => {
      const headers = { origin: from, "access-control-request-method": "POST" };
      const answer = await fetch(url, { method: "OPTIONS", headers });
      return [answer.status, answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")];
    };

    expect(await preflight(origin)).toEqual([204, origin, "origin"]);
    expect(await preflight("https://evil.example.com")).toEqual([403, null, "origin"]);
  });

  it("counts a user's logins over all processes", async () => {
    const window = () => Math.floor(Date.now() / 600_000);
    const logInOften = async (sub: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1) {
        if (count === 5) copy.cloud.kill("authToken");
        statuses.push((await logIn(signToken(key, { claims: claims({ sub }) }))).status);
      }
      return statuses;
    };
    const begunIn = window();

    const first = await logInOften("busy");
    // Another ten are let in where a window of ten minutes ends meanwhile.
    const statuses = window() === begunIn ? first : await logInOften("busy-too");

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it("lets people in while the table is out", async () => {
    await copy.cloud.stopTables();

    const { status } = await logIn(signToken(key, { claims: claims() }));
    await copy.cloud.startTables();

    expect(status).toBe(200);
  });

  it("makes the users of the file, and has nothing to do the second time", async () => {
    const first = await copy.cloud.invoke("seedUsers", {});
    const second = await copy.cloud.invoke("seedUsers", {});

    const all = { failed: 0, left: 0, failures: [] };
    expect(first.payload).toMatchObject({ apps: [{ appId: "local-app", result: all }] });
    expect(second.payload).toEqual({
      apps: [{ appId: "local-app", result: { created: 0, changed: 0, unchanged: 3, ...all } }],
    });
    expect((await api("/users/bela")).data).toMatchObject({
      name: "Kovács, Béla",
      metadata: { department: "Support" },
    });
  });

  it("wrote no token, key or name into the log", () => {
    const told = copy.lines.join("\n");

    expect(told).toContain("CallerRefused");
    expect(told).not.toMatch(/eyJ[\w-]{10}|Berger|ann_1|10ca1f01/);
  });
});
