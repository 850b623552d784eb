import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { guardConsole } from "../../../local/console/guard.ts";

const app = new Hono();
app.use("*", guardConsole);
app.all("*", (context) => context.text("in"));

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  return (await app.request(url, init)).status;
}

const home = "http://127.0.0.1:4000/api/facts";

describe("guardConsole", () => {
  it.each([
    ["a program", home, {}],
    [
      "the console's own page",
      home,
      { headers: { origin: "http://127.0.0.1:4000", "sec-fetch-site": "same-origin" } },
    ],
    ["a typed address", home, { headers: { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" } }],
    [
      "a link on another page",
      home,
      { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" } },
    ],
    [
      "a link on a page of another port",
      home,
      { headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" } },
    ],
    ["the name localhost", "http://localhost:4000/", {}],
    ["an act of its own page", home, { method: "POST", headers: { origin: "http://127.0.0.1:4000" } }],
  ])("lets in %s", async (_who, url, init) => {
    expect(await statusOf(url, init)).toBe(200);
  });

  it.each([
    ["a name that was made to lead here", "http://evil.example:4000/api/facts", {}],
    ["a name that begins like this machine's", "http://127.0.0.1.evil.example:4000/", {}],
    ["another site's page", home, { headers: { origin: "https://evil.example" } }],
    ["another port's page", home, { headers: { origin: "http://127.0.0.1:5000" } }],
    ["the same port under the other name", home, { headers: { origin: "http://localhost:4000" } }],
    ["a page without an origin", home, { headers: { origin: "null" } }],
    [
      "an image on another site's page",
      home,
      { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } },
    ],
    [
      "a page of the same site",
      home,
      { headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" } },
    ],
    [
      "a form on another site's page",
      home,
      { method: "POST", headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" } },
    ],
  ])("keeps out %s", async (_who, url, init) => {
    expect(await statusOf(url, init)).toBe(403);
  });
});
