import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import {
  describeInBrowser,
  exact,
  expectAccessible,
  expectShown,
  expectText,
  follow,
  press,
} from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { copied, expectGood, usePages } from "../helpers/use-pages.ts";

const console = usePages();
const [app] = defaultSeed.apps;

describeInBrowser("the API explorer", () => {
  it("accepts any field names in an object without documented fields", async () => {
    const page = await console.open("#/api");
    await open(page, "send-message");
    for (const name of ["receiver", "receiverType", "type", "data"]) {
      await press(page, `Add ${name}`, exact);
    }
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe("Name of a new field of data");
    await page.keyboard.type("text");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("data.text");
    await page.keyboard.type("Made by the form");
    await fill(page, { onBehalfOf: "alice", receiver: "bob", type: "text" });
    await send(page, 200);

    await expectText(page.getByRole("region", { name: "Answer" }), "Made by the form");
    await expectAccessible(page);
  });

  it("links a list's row to its form, and deletes it after confirmation", async () => {
    await console.post("/api/chat/local-app/users", { uid: "yan", name: "Yan", tags: ["vip"] });
    const page = await console.open("#/api/list-users");
    await page.getByRole("link", { name: "yan" }).press("Enter");
    await expect.poll(() => page.getByLabel("name", { exact: true }).inputValue()).toBe("Yan");
    await press(page, "Add metadata");
    await expectGood(page, "explorer");
    await press(page, "JSON");
    await page.getByLabel("JSON").fill('{ "name": "Yán" ');
    await expectText(page, /^Expected .*line 1 column/);
    await page.getByLabel("JSON").fill('{ "name": "Yán", "metadata": { "plan": "gold" } }');
    await expectText(page, /^await chat.users.update\("yan", \{/);
    await page.getByRole("button", { name: "Send", exact: true }).press("Enter");
    const user = async () => (await console.ask("/api/chat/local-app/users/yan")).body;
    await expect.poll(user).toMatchObject({ data: { name: "Yán", metadata: { plan: "gold" } } });

    await page.goto(console.at("/#/api/list-users"));
    await follow(page.getByRole("row", { name: /Yán/ }), "Delete");
    await press(page, "Send", exact);
    await press(page.getByRole("dialog", { name: "DELETE /users/yan?" }), "Send");
    await expect.poll(async () => (await console.ask("/api/chat/local-app/users/yan")).status).toBe(404);
  });

  it.runIf(isNight)(
    "keeps typed input after a reload: of the query, and of the body after the path",
    async () => {
      const page = await console.open("#/api/list-users");
      await page.getByRole("button", { name: "Add searchKey" }).press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("searchKey");
      await page.keyboard.type("ali");
      await page.reload();
      await expect.poll(() => page.getByLabel("searchKey", { exact: true }).inputValue()).toBe("ali");

      await page.goto(console.at("/#/api/update-user"));
      await fill(page, { uid: "bob" });
      await press(page, "Add name");
      await fill(page, { name: "Bo" });
      await page.reload();
      await expect.poll(() => page.getByLabel("name", { exact: true }).inputValue()).toBe("Bo");
    },
  );

  it.runIf(isNight)(
    "keeps each tab's draft when another tab sends its own, but never a password",
    async () => {
      const page = await console.open("#/api/create-user");
      await fill(page, { uid: "tab-1", name: "Tab" });
      await press(page, "Add metadata");
      await press(page, "JSON");
      const json = page.getByRole("textbox", { name: "JSON" });
      await json.fill(
        '{ "uid": "tab-1", "name": "Tab", "metadata": { "password": "p\\"w", "searchKey": "k" } }',
      );
      const other = await page.context().newPage();
      await other.goto(page.url());
      await expect.poll(() => other.getByLabel("uid", { exact: true }).inputValue()).toBe("tab-1");
      await send(other, 200);
      await page.reload();

      await expect.poll(() => page.getByLabel("metadata.searchKey", { exact: true }).inputValue()).toBe("k");
      expect(await page.getByLabel("metadata.password", { exact: true }).inputValue()).toBe("");
      expect(
        await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"),
      ).not.toContain("p\\");
    },
  );

  it("creates, copies and deletes a key without showing it, and requests with the other key", async () => {
    const page = await console.open("#/api/create-apikey", { expected: /403/ });
    await fill(page, { name: "Job" });
    await send(page, 200);
    await press(page, /^Copy ••••/);
    await expectText(page, "Copied.");
    const key = await copied(page);
    expect(key).toMatch(/^[0-9a-f]{40}$/);
    await page.goto(console.at("/#/api/list-apikeys"));
    await follow(page.getByRole("row", { name: /Job/ }), "Delete");
    expect(await page.content()).not.toMatch(/[0-9a-f]{40}/);
    await press(page, "Send", exact);
    await press(page.getByRole("dialog"), "Send");
    await expectShown(page.getByText("200", { exact: true }));
    await page.getByLabel("API key").selectOption("authOnly");
    await follow(page.getByRole("navigation", { name: "Operations" }), /^list/);
    await expectShown(page.getByText("403", { exact: true }));
    await press(page, "Copy $API_KEY");
    await expect.poll(() => copied(page)).toBe(app.authOnlyKey);
  });
});

async function open(page: Page, words: string) {
  await page.getByLabel("Find an operation").fill(words);
  const entry = page.getByRole("navigation", { name: "Operations" }).getByRole("link").first();
  await entry.click();
  await expectShown(entry.and(page.locator("[aria-current]"))); // the form belongs to this entry
}

async function fill(page: Page, values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

async function send(page: Page, status: number) {
  await press(page, "Send", exact);
  await expectShown(page.getByRole("region", { name: "Answer" }).getByText(String(status), { exact: true }));
}
