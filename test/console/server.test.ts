import { expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { useConsole } from "../helpers/use-console.ts";

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
