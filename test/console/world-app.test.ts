import { expect, it } from "vitest";
import { initialSwitches } from "../../local/platform/services/switches.ts";
import { describeInBrowser, expectShown } from "../helpers/browser.ts";
import { expectGood, usePages } from "../helpers/use-pages.ts";

const console = usePages();

describeInBrowser("the app's parts of the World view", () => {
  it("keeps settings and switches, and sets them back", async () => {
    // What the page counts as set are this test's switches alone.
    const { deliveryTimeoutMs } = initialSwitches();
    Object.assign(console.world.platform.switches, { deliveryTimeoutMs });
    const page = await console.open("#/world/settings");
    await page.getByRole("checkbox", { name: "Calls" }).click();
    await expectShown(page.getByText("changed"));
    await expectGood(page, "world-settings");
    await page.getByRole("button", { name: "Reset to defaults" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => page.getByRole("checkbox", { name: "Calls" }).isChecked()).toBe(false);

    await page.getByRole("link", { name: "Switches" }).click();
    await page.getByLabel("duplicateIdStatus").selectOption("409");
    await page.getByRole("checkbox", { name: "callbackRetries" }).click();
    await expectShown(page.getByText("default 400"));
    await expect
      .poll(() => console.world.platform.switches)
      .toMatchObject({ duplicateIdStatus: 409, callbackRetries: true });
    await expectShown(page.getByRole("button", { name: "Reset 2" }));
    await expectGood(page, "world-switches");
    await page.getByRole("button", { name: "Reset 2" }).click();
    await expectShown(page.getByRole("button", { name: "Reset all" }));
    await expect.poll(() => console.world.platform.switches.duplicateIdStatus).toBe(400);
  });

  it("chooses the engine, and connects the functions anew", async () => {
    const page = await console.open("#/world/webhooks");
    await page.getByLabel("Delivering").selectOption("legacy");
    await expectShown(page.getByText("The legacy engine delivers, but"));
    await expectGood(page, "world-webhooks");
    await page.getByRole("button", { name: "Reconnect the functions" }).click();
    await expectShown(page.getByText("The functions are connected again."));
    expect(await console.ask("/api/world/webhooks/local-app")).toMatchObject({ body: { problems: [] } });
  });

  it("tries a text against the rules", async () => {
    const conditions = [
      {
        category: "word",
        operand: "text",
        operator: "contains",
        value: ["pineapple"],
        message: ["Not on pizza."],
      },
    ];
    await console.ask("/api/chat/local-app/moderation/rules", {
      method: "POST",
      body: JSON.stringify({ name: "No pineapples", conditions }),
    });
    const page = await console.open("#/world/moderation");
    await page.getByLabel("Text", { exact: true }).fill("I like pineapple");
    await page.getByLabel("From").fill("alice");
    await page.getByLabel("To").fill("bob");
    await page.getByRole("button", { name: "Check" }).click();
    await expectShown(page.getByText("Not on pizza."));
    await expectGood(page, "world-moderation");
    await page.getByRole("link", { name: "rules" }).click();
    await expectShown(page.getByRole("link", { name: "no-pineapples" }));
  });
});
