import { expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  useBrowser,
} from "../helpers/browser.ts";
import { useConsole } from "../helpers/use-console.ts";

const { at, ask } = useConsole();
const browser = useBrowser();

describeInBrowser("seed, reset and fidelity in the World view", () => {
  it("makes much, shows it page by page, brings in pasted users, and resets", async () => {
    const page = await browser.open(at("/#/world/seed"));
    await page.getByLabel("Users", { exact: true }).fill("1000");
    await page.getByLabel("Messages", { exact: true }).fill("3000");
    await page.getByRole("button", { name: "Create" }).click();
    await expectShown(page.getByText("1,000 users and 3,000 messages created in"));
    await page
      .getByRole("textbox", { name: "Users and groups" })
      .fill(
        '{"users": [{"uid": "ann", "name": "Ann"}, {"uid": "no one", "name": "X"}], "groups": [{"guid": "den", "name": "Den", "members": {"ann": "admin"}}]}',
      );
    await page.getByRole("button", { name: "Import" }).click();
    await expectShown(page.getByText("3 imported, 1 refused."));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-seed");

    await page.getByRole("link", { name: "Users" }).click();
    await expectShown(page.getByText("1–50 of 1,005"));
    await page.getByRole("button", { name: "Next" }).click();
    await expectShown(page.getByText("51–100 of 1,005"));
    await page.getByLabel("Search").fill("load-0042");
    await expectShown(page.getByText("1–1 of 1"));
    await page.getByLabel("Search").fill("load-");
    await expectShown(page.getByText("1–50 of 1,000"));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-users");

    await page.getByRole("link", { name: "Seed & reset" }).click();
    await page.getByRole("button", { name: "Reset the local stack" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset the local stack" }).click();
    await expectShown(page.getByText("The local stack is reset."));
    expect(await ask("/api/world/seed/local-app")).toMatchObject({
      body: { contents: { users: 4, messages: 0 } },
    });
  });

  it("finds behaviours in the ledger by word, kind and level", async () => {
    const page = await browser.open(at("/#/world/fidelity"));
    await page.getByLabel("Kind").selectOption("switch");
    await page.getByLabel("Search").fill("callbackRetries");
    await expectShown(page.getByText("1–1 of 1"));
    await page.getByLabel("Level").selectOption("documented");
    await expectShown(page.getByText("No matching behaviour"));
    await page.getByLabel("Level").selectOption("");
    await page.getByLabel("Search").fill("");
    await expectShown(page.getByRole("cell", { name: "secondRetryFrom" }));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-fidelity");
  });
});
