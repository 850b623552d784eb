import { expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { listApiKeys } from "../../local/platform/store/api-keys.ts";
import { listActiveAuthTokens } from "../../local/platform/store/auth-tokens.ts";
import { useConsole } from "../helpers/use-console.ts";
import { watchGlobals } from "../helpers/watch-globals.ts";

const changedGlobals = watchGlobals();
const console = useConsole();
const [app] = defaultSeed.apps;

it("serves the page and its two files, under a policy that lets nothing in from elsewhere", async () => {
  const page = await fetch(console.at("/"));
  const text = await page.text();
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  for (const file of ["/main.js", "/main.css"]) {
    expect(text).toContain(file);
    const answer = await fetch(console.at(file));
    expect({ file, status: answer.status }).toEqual({ file, status: 200 });
    expect((await answer.text()).length).toBeGreaterThan(1_000);
  }
  expect(text).not.toMatch(/https?:/);
});

it("leaves the globals of its process alone, as does the local stack", () => {
  expect(changedGlobals()).toEqual([]);
  expect(() => new Response("a", { status: 204 })).toThrow(TypeError);
});

it("passes on an answer that has no body", async () => {
  const { url } = console.world.platform;
  const rules = [{ on: "request", fault: "serverError", status: 204, path: "/users", count: 1 }];
  const plan = (body: unknown) =>
    fetch(`${url}/_platform/faults`, { method: "PUT", body: JSON.stringify(body) });
  await plan({ rules });

  const { status } = await fetch(console.at("/api/chat/local-app/users"));
  await plan({});

  expect(status).toBe(204);
});

it("asks the platform as a user, with a key that the page never sees", async () => {
  const sent = await console.ask("/api/chat/local-app/messages", {
    method: "POST",
    headers: { "content-type": "application/json", onBehalfOf: "alice" },
    body: JSON.stringify({ receiver: "bob", receiverType: "user", type: "text", data: { text: "A word" } }),
  });
  expect(sent).toMatchObject({ status: 200, body: { data: { sender: "alice", receiver: "bob" } } });
  const { body } = await console.ask("/api/facts");
  expect(JSON.stringify(body)).not.toContain(app.fullAccessKey);
});

it("leaves names in the path as they were encoded", async () => {
  const { status, body } = await console.ask("/api/chat/local-app/users/no%2Fbody%3F");
  expect({ status, body }).toMatchObject({ status: 404, body: { error: { code: "ERR_UID_NOT_FOUND" } } });
});

it("asks the Management API and the emulation's own controls", async () => {
  expect(await console.ask("/api/management/apps")).toMatchObject({ status: 200 });
  expect(await console.ask("/api/platform/faults")).toMatchObject({ status: 200, body: { rules: [] } });
});

it("says what is missing, constantly", async () => {
  expect(await console.ask("/api/chat/no-app/users")).toEqual({
    status: 404,
    body: { error: { message: "The platform has no app no-app with a key of scope fullAccess." } },
  });
  expect(await console.ask("/api/nothing")).toEqual({
    status: 404,
    body: { error: { message: "The console has nothing at /api/nothing." } },
  });
});

it("finds an app whose name was written encoded", async () => {
  expect(await console.ask("/api/chat/local%2Dapp/users/alice")).toMatchObject({ status: 200 });
});

it("hides keys and tokens in what the platform answers, and nothing that somebody edits", async () => {
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
  for (const path of [
    "chat/local-app/apikeys",
    "chat/local-app/users/carrier/auth_tokens",
    "management/apps",
  ])
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

it("says so when the platform breaks a connection off", async () => {
  const { faults } = console.world.platform;
  faults.set({ ...faults.settings(), rules: [{ on: "request", fault: "dropBefore" }] });
  const answer = await console.ask("/api/chat/local-app/users");
  const key = await console.ask(`/api/chat/local-app/apikeys/${app.fullAccessKey}`, { method: "DELETE" });
  faults.set({ ...faults.settings(), rules: [] });
  expect(key).toMatchObject({ status: 502 });
  expect(JSON.stringify(key.body)).not.toContain(app.fullAccessKey);
  expect(answer).toMatchObject({ status: 502 });
  expect(JSON.stringify(answer.body)).toContain("did not answer GET /local-app.api-us/v3/users");
});

it("does not show an app that there is not as an empty one", async () => {
  for (const path of ["webhooks/no-app", "seed/no-app"]) {
    const { status } = await console.ask(`/api/world/${path}`);
    expect({ path, status }).toEqual({ path, status: 404 });
  }
});
