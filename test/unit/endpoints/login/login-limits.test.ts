import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { createLoginWorld } from "./login-world.ts";

describe("the limits", () => {
  it("allow a user ten logins in ten minutes from any addresses, without limiting other users", async () => {
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

  it("store no uid in the table, and let items expire", async () => {
    const login = createLoginWorld();

    await login.logIn(login.tokenFor({ sub: "alice" }));

    const [item] = login.table.items();
    expect(JSON.stringify(item)).not.toContain("alice");
    expect(item).toMatchObject({ logins: 1, expiration: login.seconds() + 600 + 3_600 });
  });

  it("refuse an address with too many requests before its token is checked", async () => {
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

  it("count a whole IPv6 network as one address", async () => {
    const login = createLoginWorld({ settings: { limits: { perSource: 1 } } });

    const statuses = [
      await login.logIn("forged", { sourceIp: "2001:db8:0:1::1" }),
      await login.logIn("forged", { sourceIp: "2001:0DB8:0000:0001:ffff::2" }),
      await login.logIn("forged", { sourceIp: "2001:db8:0:2::1" }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([401, 429, 401]);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["answers 502", () => new Response("<html>", { status: 502 })],
    ["is too busy", () => new Response("{}", { status: 429, headers: { "retry-after": "600" } })],
    ["breaks the connection", () => Promise.reject(new TypeError("fetch failed"))],
    ["never answers", () => new Promise(() => {})],
  ])("do not count a login while the platform %s", async (_case, answer) => {
    const login = createLoginWorld();
    login.world.answer = ({ method }) => (method === "POST" ? answer() : undefined);

    const answered = await login.logIn(login.tokenFor({ sub: "alice" }), { leftMs: 1_050 });

    expect(answered).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(login.table.items()).toMatchObject([{ logins: 0 }]);
  });

  it("count a login that may have created a token", async () => {
    const login = createLoginWorld({ settings: { token: "new" } });
    login.world.answer = ({ path }) =>
      path.endsWith("/auth_tokens") ? Promise.reject(new TypeError("fetch failed")) : undefined;

    await login.logIn(login.tokenFor({ sub: "alice" }), { leftMs: 1_050 });

    expect(login.table.items()).toMatchObject([{ logins: 1 }]);
  });

  it("restore a user's logins after an outage, but count refusals and tokens", async () => {
    const login = createLoginWorld({ settings: { limits: { perUser: 1 }, user: { unknown: "refuse" } } });
    const statusOf = async (sub: string) => (await login.logIn(login.tokenFor({ sub }))).status;
    login.world.answer = () => new Response("<html>", { status: 502 });
    const during = [await statusOf("alice"), await statusOf("alice"), await statusOf("ann")];
    login.world.answer = () => undefined;

    const alice = [await statusOf("alice"), await statusOf("alice")];
    const ann = [await statusOf("ann"), await statusOf("ann")];

    expect([during, alice, ann]).toEqual([
      [503, 503, 503],
      [200, 429],
      [403, 429],
    ]);
  });

  it("do not hide a platform outage while the table is out, too", async () => {
    const limit = { count: async () => ({ id: "1", waitMs: undefined }), takeBack: tableIsOut };
    const login = createLoginWorld({ limit });
    login.world.answer = () => new Response("<html>", { status: 502 });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 503 });
    expect(login.lines.join("\n")).toMatch(/could not take back a login that failed.*ETIMEDOUT/);
  });

  it("allow logins while the table is out, and log it", async () => {
    const login = createLoginWorld({ limit: { count: tableIsOut, takeBack: tableIsOut } });

    expect(await login.logIn(login.tokenFor())).toMatchObject({ status: 200 });
    const log = login.lines.join("\n");
    expect(log).toMatch(/"appId":"local-app","LoginNotCounted":1/);
    expect(log).toMatch(/could not count a login; let it in.*ETIMEDOUT/);
  });
});

describe("browser pages", () => {
  const settings = { origins: ["https://app.example.com", "http://localhost:5173"] };

  it.each(settings.origins)("from %s may read the answer", async (origin) => {
    const login = createLoginWorld({ settings });

    const preflight = await login.logIn("", { method: "OPTIONS", headers: { origin } });
    const answer = await login.logIn(login.tokenFor(), { headers: { origin } });

    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "authorization, content-type, idempotency-key",
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
  ])("from the origin %j are refused before their login is checked", async (origin) => {
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

  it("can read the time to retry", async () => {
    const login = createLoginWorld({ settings: { ...settings, limits: { perSource: 1 } } });
    const headers = { origin: "https://app.example.com" };
    await login.logIn(login.tokenFor(), { headers });

    const answer = await login.logIn(login.tokenFor(), { headers });

    // Pages can read only a few other headers:
    // https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
    expect(answer).toMatchObject({
      status: 429,
      headers: { "retry-after": "600", "access-control-expose-headers": "retry-after" },
    });
  });
});

async function tableIsOut(): Promise<never> {
  const call = { service: "dynamodb", target: "DynamoDB_20120810.UpdateItem", input: {} } as const;
  throw new AwsCallError(call, { code: "ETIMEDOUT", maybeExecuted: true });
}
