import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { ownProject } from "../helpers/own-project.ts";
import { type DeployedCopy, deployCopy } from "../helpers/project-copy.ts";
import { signWithSecret } from "../helpers/tokens.ts";

const loginSecret = "a-secret-of-forty-characters-and-no-less";
const origin = "https://app.example.com";

let copy: DeployedCopy;
let url: string;

beforeAll(async () => {
  copy = await deployCopy(await ownProject(), { loginSecret });
  url = `${copy.cloud.httpUrl}/auth-token/local-app`;
});
afterAll(() => copy?.close());

describe("the login of docs/recipes/login-endpoint.md and the users of nightly-users.md, deployed on this machine", () => {
  const logIn = async (sub: string, secret = loginSecret) => {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: "https://shop.example.com/",
      aud: "chat",
      sub,
      name: "Ann Berger",
      iat,
      exp: iat + 120,
    };
    const authorization = `Bearer ${signWithSecret(secret, { claims })}`;
    const answer = await fetch(url, { method: "POST", headers: { authorization, origin } });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  };
  const api = async (path: string) => {
    const answer = await fetch(`${copy.platform.appUrl("local-app")}${path}`, {
      headers: { apikey: copy.app.fullAccessKey },
    });
    return JSON.parse(await answer.text());
  };

  it("makes a user of a login, and a token that is good for that user", async () => {
    const { status, body, headers } = await logIn("Ann");

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        uid: "c-ann",
        authToken: expect.stringMatching(/^c-ann_/),
        expiresAt: null,
        loginExpiresAt: expect.any(Number),
      },
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect((await api("/users/c-ann")).data).toMatchObject({ name: "Ann Berger" });
    expect((await api(`/users/c-ann/auth_tokens/${body.authToken}`)).data).toMatchObject({ uid: "c-ann" });
  });

  it("refuses a login that somebody else has signed", async () => {
    expect(await logIn("Ann", "another-secret-of-forty-characters-or-more")).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized", message: "The credentials are missing or wrong." } },
    });
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
        statuses.push((await logIn(sub)).status);
      }
      return statuses;
    };
    const begunIn = window();

    const first = await logInOften("busy");
    // Another ten are let in where a window of ten minutes ends meanwhile.
    const statuses = window() === begunIn ? first : await logInOften("busy-too");

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it("makes the users of the file, and has nothing to do the second time", async () => {
    const first = await copy.cloud.invoke("seedUsers", {});
    const second = await copy.cloud.invoke("seedUsers", {});

    const all = { failed: 0, left: 0, failures: [] };
    expect(first.payload).toMatchObject({ apps: [{ appId: "local-app", result: all }] });
    expect(second.payload).toEqual({
      apps: [{ appId: "local-app", result: { created: 0, changed: 0, unchanged: 4, ...all } }],
    });
    expect((await api("/users/bela")).data).toMatchObject({
      name: "Kovács, Béla",
      metadata: { team: "legal" },
    });
  });

  it("wrote no token, key or name into the log", () => {
    const told = copy.lines.join("\n");

    expect(told).toContain("CallerRefused");
    expect(told).not.toMatch(/eyJ[\w-]{10}|Berger|ann_1|10ca1f01/);
  });
});

describe("a team's own things, deployed on this machine", () => {
  async function ask(path: string, body: object) {
    const url = `${copy.cloud.httpUrl}/${path}/local-app`;
    const response = await fetch(
      signedRequest({ url, username: "platform", password: "the-webhook-password" }, body),
    );
    return response.text();
  }

  it("are a function with configuration by stage and by app", async () => {
    const ofApp = await copy.cloud.invoke("whoIsOnCall", { appId: "local-app" });
    const ofOther = await copy.cloud.invoke("whoIsOnCall", { appId: "constructor" });

    expect(ofApp.payload).toEqual({
      uid: "bela",
      escalateTo: "chief",
      table: "cometchat-functions-local-effects",
    });
    expect(ofOther.payload).toMatchObject({ uid: "ann", escalateTo: "chief" });
  });

  it("are the reasons of an app, in the place of those of all", async () => {
    const { payload } = await copy.cloud.invoke("seed", { dryRun: true });

    expect(payload).toEqual({
      dryRun: true,
      apps: [
        {
          appId: "local-app",
          things: [{ kind: "moderation reason", id: "own", outcome: "created" }],
          unseen: [],
          drift: 1,
        },
      ],
    });
  });

  it("decide in the place of the lists, and only what they decide, whatever they do not await", async () => {
    const message = messageBody({ text: "please buy me a gift card", sender: "ann" });

    const judged = await ask("moderation", { contextMessages: [{ ann: message }] });
    const held = await ask("before-message", { trigger: "before_message", data: message });

    expect(JSON.parse(judged)).toMatchObject({ confidence: 0.123, reason: "Our own." });
    expect(held).toBe('{"action":"do_not_propagate"}'); // 0.7 is dropped in this stage
  });
});
