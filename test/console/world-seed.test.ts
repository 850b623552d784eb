import { expect, it } from "vitest";
import { describeInBrowser, expectShown } from "../helpers/browser.ts";
import { expectGood, usePages } from "../helpers/use-pages.ts";

const console = usePages();

describeInBrowser("seed, reset and fidelity in the World view", () => {
  it("makes much, shows it page by page, and resets", async () => {
    const page = await console.open("#/world/seed");
    await page.getByLabel("Users", { exact: true }).fill("1000");
    await page.getByLabel("Messages", { exact: true }).fill("3000");
    await page.getByRole("button", { name: "Create" }).click();
    await expectShown(page.getByText("1,000 users and 3,000 messages created in"));
    await expectGood(page, "world-seed");

    await page.getByRole("link", { name: "users", exact: true }).click();
    await page.goto(console.at("/#/api/list-users"));
    await expectShown(page.getByText("1–100 of 1,004"));
    await page.getByRole("button", { name: "Next" }).click();
    await expectShown(page.getByText("101–200 of 1,004"));
    await page.getByRole("button", { name: "Add searchKey" }).click();
    await page.getByLabel("searchKey", { exact: true }).fill("load-0042");
    await page.getByRole("button", { name: "Remove page", exact: true }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectShown(page.getByText("1–1 of 1"));

    await page.goto(console.at("/#/world/seed"));
    await page.getByRole("button", { name: "Reset the local stack" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset the local stack" }).click();
    await expectShown(page.getByText("The local stack is reset."));
    expect(await console.ask("/api/world/seed/local-app")).toMatchObject({
      body: { contents: { users: 4, messages: 0 } },
    });
  });

  it("finds behaviours in the ledger by word, kind and level", async () => {
    const page = await console.open("#/world/fidelity");
    await page.getByLabel("Kind").selectOption("switch");
    await page.getByRole("searchbox", { name: "Search" }).fill("callbackRetries");
    await expectShown(page.getByText("1–1 of 1"));
    await page.getByLabel("Level").selectOption("documented");
    await expectShown(page.getByText("No matching behaviour"));
    await page.getByLabel("Level").selectOption("");
    await page.getByRole("searchbox", { name: "Search" }).fill("");
    await expectShown(page.getByRole("cell", { name: "secondRetryFrom" }));
    await expectGood(page, "world-fidelity");
  });
});
