import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInBrowser, expectShown, useBrowser } from "../helpers/browser.ts";

const root = join(import.meta.dirname, "../..");
/** One page of each kind. */
const kinds = {
  "the front page": "index",
  "a door of many names": "modules/cometchat-functions_chat",
  "a door": "modules/cometchat-functions_webhook",
  "a family": "interfaces/cometchat-functions_chat.MessagesClient",
  "an error": "classes/cometchat-functions_chat.ChatApiError",
  "an event": "types/cometchat-functions_events.ChatEvent",
  "a store": "interfaces/cometchat-functions_webhook.WebhookStore",
  "a function": "functions/cometchat-functions_triggers.onTrigger",
  "a page of tables": "documents/docs_scale",
};
const types: Record<string, string> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};
const folder = mkdtempSync(join(tmpdir(), "reference-"));

afterAll(() => rmSync(folder, { recursive: true }));

describeInBrowser("the API reference", { timeout: 900_000 }, () => {
  const browser = useBrowser();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    readFile(join(folder, normalize(pathname))).then(
      (bytes) =>
        response.writeHead(200, { "content-type": types[extname(pathname)] ?? "text/html" }).end(bytes),
      () => response.writeHead(204).end(),
    );
  });
  const open = (page: string) =>
    browser.open(`http://127.0.0.1:${Object(server.address()).port}/${page}.html`);

  beforeAll(async () => {
    const arguments_ = [join(root, "package/tools/reference.ts"), folder];
    await promisify(execFile)(process.execPath, arguments_, { cwd: root });
    await promisify<number, string>(server.listen).call(server, 0, "127.0.0.1");
  }, 900_000);
  afterAll(() => server.close());

  it.each(Object.entries(kinds))(
    "shows %s on a phone without anything that sticks out",
    async (_kind, name) => {
      const page = await open(name);

      await page.setViewportSize({ width: 390, height: 844 });

      await expectShown(page.locator("h1"));
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    },
  );

  it.each(["light", "dark"] as const)("can be read by all in the %s look", async (colorScheme) => {
    for (const name of [kinds["the front page"], kinds["a door"], kinds["a family"], kinds["an error"]]) {
      const page = await open(name);
      await page.emulateMedia({ colorScheme });
      await expectShown(page.locator("h1"));

      expect([name, await seriousIn(page)]).toEqual([name, []]);
    }
  });

  it("finds what is typed, and leads there", async () => {
    const page = await open("index");

    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("#tsd-search-input").fill("createPlatform");
    await page.getByRole("option").first().getByRole("link").click();

    await expectShown(page.getByRole("heading", { name: "Function createPlatform" }));
  });

  it("shows a family's example where its methods and where its operations stand", async () => {
    const shown = [];
    for (const name of [kinds["a family"], "variables/cometchat-functions_chat.messages"]) {
      const page = await open(name);
      shown.push(await page.locator("pre").first().innerText());
    }

    for (const text of shown) expect(text).toContain("await chat.messages.send(");
  });
});

/** What axe finds that keeps somebody from reading. The tree of links at the side is TypeDoc's: its branches open and lead somewhere at once. */
async function seriousIn(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run({ exclude: [".tsd-navigation"] }, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
      .then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => ({ id, html: nodes[0].html, why: nodes[0].failureSummary })))`,
  );
}
