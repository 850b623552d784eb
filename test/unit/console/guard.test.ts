import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { guardConsole } from "../../../local/console/start-console.ts";

const app = new Hono();
app.use("*", guardConsole);
app.all("*", (context) => context.text("in"));

async function statusOf(url: string, init?: RequestInit) {
  return (await app.request(url, init)).status;
}

const home = "http://127.0.0.1:4000/api/facts";

const from = (origin: string, method = "GET") => ({ method, headers: { origin } });
const fetched = (site: string, mode: string, method = "GET") => ({
  method,
  headers: { "sec-fetch-site": site, "sec-fetch-mode": mode },
});

describe("guardConsole", () => {
  it.each([
    ["a program", home, {}],
    ["the console's own page", home, fetched("same-origin", "cors")],
    ["a typed address", home, fetched("none", "navigate")],
    ["a link on another page", home, fetched("cross-site", "navigate")],
    ["a link on a page of another port", home, fetched("same-site", "navigate")],
    ["the name localhost", "http://localhost:4000/", {}],
    ["an act of its own page", home, from("http://127.0.0.1:4000", "POST")],
  ])("lets in %s", async (_who, url, init) => {
    expect(await statusOf(url, init)).toBe(200);
  });

  it.each([
    ["a foreign name that resolves to this machine", "http://evil.example:4000/api/facts", {}],
    ["a name that begins like this machine's", "http://127.0.0.1.evil.example:4000/", {}],
    ["another site's page", home, from("https://evil.example")],
    ["another port's page", home, from("http://127.0.0.1:5000")],
    ["the same port under the other name", home, from("http://localhost:4000")],
    ["a page without an origin", home, from("null")],
    ["an image on another site's page", home, fetched("cross-site", "no-cors")],
    ["a page of the same site", home, fetched("same-site", "no-cors")],
    ["a form on another site's page", home, fetched("cross-site", "navigate", "POST")],
  ])("keeps out %s", async (_who, url, init) => {
    expect(await statusOf(url, init)).toBe(403);
  });
});
