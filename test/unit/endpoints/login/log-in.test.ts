import { describe, expect, it } from "vitest";
import { callMemoryApp } from "../../../helpers/call-app.ts";
import type { OwnRequest } from "../../../helpers/own-world.ts";
import { bySecret, createLoginWorld, type LoginWorldOptions } from "./login-world.ts";

type World = ReturnType<typeof createLoginWorld>;

describe("logging in", () => {
  it("answers a known user with a token of the platform and the end of the login", async () => {
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

  it("creates a user from the configured claims at the first login", async () => {
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

  it("updates a known user only if the claims differ, and keeps other metadata", async () => {
    const login = createLoginWorld({
      settings: { user: { name: "name", metadata: { department: "dept" } } },
    });
    await callMemoryApp(login.platform, "PUT /users/alice", {
      metadata: { theme: "dark", department: "Sales" },
    });
    login.requests.length = 0;

    await login.logIn(login.tokenFor({ sub: "alice", name: "Alice Nguyen", dept: "Sales" }));
    await login.logIn(login.tokenFor({ sub: "alice", name: "Alice Meyer", dept: "Support" }));

    expect(login.requests.filter((line) => line.startsWith("PUT"))).toEqual(["PUT /users/alice"]);
    expect(await userOf(login, "alice")).toMatchObject({
      name: "Alice Meyer",
      metadata: { theme: "dark", department: "Support" },
    });
  });

  it("creates one user for two simultaneous first logins", async () => {
    const login = createLoginWorld();

    const answers = await Promise.all([login.logIn(login.tokenFor()), login.logIn(login.tokenFor())]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("refuses an unknown user if it may not create users", async () => {
    const login = createLoginWorld({ settings: { user: { unknown: "refuse" } } });

    const answer = await login.logIn(login.tokenFor());

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "user_unknown" } } });
    expect(login.requests).toEqual(["GET /users/ann"]);
  });

  it("refuses a deactivated user without activating it", async () => {
    const login = createLoginWorld();
    await callMemoryApp(login.platform, "DELETE /users", { uidsToDeactivate: ["bob"] });

    const answer = await login.logIn(login.tokenFor({ sub: "bob" }));

    expect(answer).toMatchObject({
      status: 403,
      body: { error: { code: "user_deactivated", message: "This user may not log in." } },
    });
    expect(answer.text).not.toContain("bob");
  });

  it("refuses a forbidden role, and creates no user with it", async () => {
    const login = createLoginWorld({
      settings: { user: { role: { claim: "chat_role", allowed: ["default", "premium"] } } },
    });

    const answer = await login.logIn(login.tokenFor({ chat_role: "administrator" }));

    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: { code: "role_not_allowed", message: "This login names a role that logins may not set." },
      },
    });
    expect(login.requests).toEqual([]);
  });

  it("creates no user with a key of scope authOnly, and refuses a missing one", async () => {
    const login = createLoginWorld();
    Object.assign(login.secrets.get("kit/local-app") ?? {}, { apiKey: login.platform.keys.authOnlyKey });

    const known = await login.logIn(login.tokenFor({ sub: "alice", name: "Somebody Else" }));
    const missing = await login.logIn(login.tokenFor({ sub: "ann" }));

    expect(known).toMatchObject({ status: 200, body: { uid: "alice" } });
    expect(missing).toMatchObject({
      status: 403,
      text: '{"error":{"code":"user_unknown","message":"There is no such user, and this function may not create one."}}',
    });
    expect(login.requests.filter((line) => /^(POST|PUT) \/users(\/\w+)?$/.test(line))).toEqual([]);
    expect(login.lines.join("\n")).toMatch(/"outcome":"not-kept","LoginUser":1/);
  });

  it("keeps the previous token, or creates a new one each time, as configured", async () => {
    const [kept, fresh] = [createLoginWorld(), createLoginWorld({ settings: { token: "new" } })];
    const twice = async (login: World) => {
      const first = await login.logIn(login.tokenFor());
      const second = await login.logIn(login.tokenFor());
      return first.body.authToken === second.body.authToken;
    };

    expect(await twice(kept)).toBe(true);
    expect(await twice(fresh)).toBe(false);
  });

  it("does not pass on another user's token", async () => {
    const login = createLoginWorld();
    login.world.answer = ({ path }) =>
      path.endsWith("/auth_tokens")
        ? Response.json({ data: { uid: "bob", authToken: "bob_1767225600secret", createdAt: 1 } })
        : undefined;

    const answer = await login.logIn(login.tokenFor());

    expect(answer).toMatchObject({ status: 500, body: { error: { code: "internal_error" } } });
    expect(answer.text + login.lines.join("\n")).not.toContain("1767225600secret");
    expect(login.lines.join("\n")).toContain("The platform returned another user's token");
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

  it("allows a login despite full metadata", async () => {
    const login = createLoginWorld({ settings: { user: { metadata: { department: "dept" } } } });
    await callMemoryApp(login.platform, "PUT /users/alice", { metadata: { notes: "x".repeat(5_095) } });

    const answer = await login.logIn(login.tokenFor({ sub: "alice", dept: "Sales" }));

    expect(answer.status).toBe(200);
    expect(login.lines.join("\n")).toContain("no room for what the login says");
    expect(login.lines.join("\n")).toContain('"limitBytes":5120');
  });
});

describe("a user whom the platform does not know right after creating it", () => {
  it("may log in again, uncounted", async () => {
    const login = createLoginWorld({ settings: { limits: { perUser: 1 } } });
    let isKnown = false;
    login.world.answer = ({ path }) =>
      path.endsWith("/auth_tokens") && !isKnown ? refusal(404, "ERR_UID_NOT_FOUND") : undefined;

    const early = await login.logIn(login.tokenFor());
    isKnown = true;
    const late = await login.logIn(login.tokenFor());

    expect([early.status, early.body.error?.code, late.status]).toEqual([503, "unavailable", 200]);
  });
});

describe("a profile that the platform refuses", () => {
  const settings = { user: { avatar: "picture", role: { claim: "chat_role", allowed: ["default", "vip"] } } };
  const world = () => {
    const login = createLoginWorld({ settings });
    login.world.answer = ({ method }) => (method === "PUT" ? refusal(400, "ERR_BAD_REQUEST") : undefined);
    const picture = "https://example.com/a.png";
    return {
      login,
      logIn: (role?: string) => login.logIn(login.tokenFor({ sub: "alice", picture, chat_role: role })),
    };
  };

  it.each([undefined, "default"])("does not keep a user out: role %s", async (role) => {
    const { login, logIn } = world();

    const answer = await logIn(role);

    expect([answer.status, answer.body.uid]).toEqual([200, "alice"]);
    expect(login.lines.join("\n")).toMatch(/"WARN".*refused what the login says.*ERR_BAD_REQUEST/);
    expect(login.lines.join("\n")).toContain('"outcome":"unchanged","LoginUser":1');
  });

  it("keeps a user out whose role would change", async () => {
    const { logIn } = world();

    expect(await logIn("vip")).toMatchObject({ status: 500 });
  });
});

const refusal = (status: number, code: string) =>
  Response.json({ error: { code, message: "No." } }, { status });

describe("an app that is not served", () => {
  const origins = ["https://chat.example.com"];
  const limits = { perUser: 10, perSource: 1, window: "10min" };

  it.each<[string, LoginWorldOptions["settings"], OwnRequest]>([
    ["the login is off", { login: "off" }, {}],
    ["the token is wrong", {}, { headers: { authorization: "Bearer wrong" } }],
    ["the token has a wrong signature", { login: bySecret }, {}],
    [
      "the page is listed",
      { origins },
      { headers: { origin: "https://chat.example.com", authorization: "" } },
    ],
    ["the page is not listed", { origins }, { headers: { origin: "https://example.com" } }],
    [
      "the browser asks first",
      { origins },
      { method: "OPTIONS", headers: { origin: "https://chat.example.com" } },
    ],
    ["requests are too many", { limits }, {}],
    ["the body is too large", {}, { body: "x".repeat(2_000) }],
  ])("is answered like a served one, after the same reads, if %s", async (_, settings = {}, request) => {
    const ask = async (appId: string) => {
      const login = createLoginWorld({ settings });
      const token = login.tokenFor({}, { kid: "unknown" });
      const answers = [
        await login.logIn(token, { ...request, appId }),
        await login.logIn(token, { ...request, appId }),
      ];
      return { answers, readings: login.readings(), fetched: login.fetched.length };
    };

    expect(await ask("unknown")).toEqual(await ask("local-app"));
  });

  it("is reported only to a caller that another app accepts", async () => {
    const login = createLoginWorld();

    expect(await login.logIn(login.tokenFor(), { appId: "unknown" })).toMatchObject({
      status: 404,
      body: { error: { code: "app_unknown" } },
    });
    expect(login.requests).toEqual([]);
  });
});

it("a disabled endpoint answers 404 to every request", async () => {
  const login = createLoginWorld({ settings: { login: "off" } });

  expect(await login.logIn(login.tokenFor())).toMatchObject({
    status: 404,
    body: { error: { code: "not_configured" } },
  });
  expect([...login.requests, ...login.fetched]).toEqual([]);
});

const userOf = async ({ platform }: World, uid: string) =>
  (await callMemoryApp(platform, `GET /users/${uid}`)).data;
