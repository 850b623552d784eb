import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fetchPlatform } from "../../local/console/ask-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { listApiKeys } from "../../local/platform/store/apps.ts";
import { listActiveAuthTokens } from "../../local/platform/store/users.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { useConsole } from "../helpers/use-console.ts";
import { watchGlobals } from "../helpers/watch-globals.ts";

const changedGlobals = watchGlobals();
const console = useConsole();
const [app] = defaultSeed.apps;

it("serves the page and its files, at most 250 kB, under a policy that blocks other origins", async () => {
  const page = await fetch(console.at("/"));
  const text = await page.text();
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  let sent = 0;
  for (const file of ["/main.js", "/main.css", "/code-mirror.js"]) {
    const answer = await fetch(console.at(file));
    expect({ file, status: answer.status }).toEqual({ file, status: 200 });
    sent += gzipSync(await answer.arrayBuffer()).length;
  }
  expect(sent).toBeGreaterThan(100_000);
  expect(sent).toBeLessThan(250_000);
  expect(text).toMatch(/"\/main.css".*"\/main.js"/s);
  expect(text).not.toMatch(/https?:/);
});

it("changes no globals of its process, like the local stack", () => {
  expect(changedGlobals()).toEqual([]);
  expect(() => new Response("a", { status: 204 })).toThrow(TypeError);
});

it("is exempt from faults of the platform and of queues", async () => {
  const { platform, cloud } = console.world;
  platform.faults.set({ ...platform.faults.settings(), rules: [{ on: "request", fault: "dropBefore" }] });
  const { services } = cloud.faults.settings();
  cloud.faults.set({ services: { ...services, dynamodb: { isDown: true, throttled: 0, slowMs: 0 } } });

  const users = await console.ask("/api/chat/local-app/users");
  const queues = await console.ask("/api/queues");
  platform.faults.set({ ...platform.faults.settings(), rules: [] });
  cloud.faults.set({});

  expect([users.status, queues.status]).toEqual([200, 200]);
});

it("counts a message that arrives right after the last count", async () => {
  const count = async () => Object((await console.ask("/api/troubles")).body).queues;
  const before = await count();
  await createSetAside(console.world.cloud).bury("1");

  expect(await count()).toBe(before + 1);
});

it("keeps the encoding of names in a path, and reports what is missing", async () => {
  const missing = async (path: string) => {
    const { status, body } = await console.ask(`/api/${path}`);
    const { code, message } = Object(body).error ?? {};
    return [status, code ?? message];
  };

  expect(await missing("chat/local%2Dapp/users/alice")).toEqual([200, undefined]);
  expect(await missing("chat/local-app/users/no%2Fbody%3F")).toEqual([404, "ERR_UID_NOT_FOUND"]);
  const noApp = "The platform has no app no-app with a key of scope fullAccess.";
  expect(await missing("chat/no-app/users")).toEqual([404, noApp]);
  expect(await missing("nothing")).toEqual([404, "The console has nothing at /api/nothing."]);
  for (const path of ["stack/webhooks/no-app", "stack/seed/no-app"])
    expect(await missing(path)).toEqual([404, expect.any(String)]);
});

it("hides keys and tokens in the platform's answers, but nothing editable", async () => {
  const made = await console.ask("/api/chat/local-app/apikeys", {
    method: "POST",
    body: JSON.stringify({ name: "Another", scope: "authOnly" }),
  });
  const metadata = { password: "my own word", token: "alice_1" };
  const user = await console.ask("/api/chat/local-app/users", {
    method: "POST",
    body: JSON.stringify({ uid: "carrier", name: "Carrier", metadata, withAuthToken: true }),
  });
  const answers = [made, user];
  const users = "chat/local-app/users";
  for (const path of ["chat/local-app/apikeys", `${users}/carrier/auth_tokens`, "management/apps", "facts"])
    answers.push(await console.ask(`/api/${path}`));
  const { db } = console.world.platform.services;
  const secrets = [
    ...listApiKeys({ db, appId: app.appId }).map(({ apiKey }) => apiKey),
    ...listActiveAuthTokens({ db, appId: app.appId }, "carrier").map(({ authToken }) => authToken),
  ];
  expect(secrets.length).toBe(4);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret);
  expect(user.body).toMatchObject({ data: { metadata, authToken: expect.stringMatching(/^••••.{4}$/) } });
});

it("reports that the platform does not answer, without a possible key", async () => {
  const url = `http://127.0.0.1:1/local-app.api-us/v3/apikeys/${app.fullAccessKey}`;

  const asked = fetchPlatform(url, { method: "DELETE" });

  await expect(asked).rejects.toThrow(/did not answer DELETE \/local-app.api-us\/v3\/apikeys: /);
  await expect(asked).rejects.not.toThrow(app.fullAccessKey);
});
