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

describeInBrowser("users and reset in the World view", () => {
  it("shows users page by page, and resets", async () => {
    for (let number = 0; number < 60; number += 1) {
      const body = JSON.stringify({ uid: `guest-${number}`, name: `Guest ${number}` });
      const headers = { "content-type": "application/json" };
      expect(await ask("/api/chat/local-app/users", { method: "POST", headers, body })).toMatchObject({
        status: 200,
      });
    }
    const page = await browser.open(at("/#/world/users"));
    await expectShown(page.getByText("1–50 of 64"));
    await page.getByRole("button", { name: "Next" }).click();
    await expectShown(page.getByText("51–64 of 64"));
    await page.getByLabel("Search").fill("guest-42");
    await expectShown(page.getByText("1–1 of 1"));
    await page.getByLabel("Search").fill("");
    await expectAccessible(page);
    await expectGoodLooks(page, "world-users");

    await page.getByRole("link", { name: "Reset", exact: true }).click();
    await page.getByRole("button", { name: "Reset the local stack" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset the local stack" }).click();
    await expectShown(page.getByText("The local stack is reset."));
    expect(await ask("/api/world/seed/local-app")).toMatchObject({
      body: { users: 4, messages: 0 },
    });
  });
});
