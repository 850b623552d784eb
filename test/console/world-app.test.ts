import { expect, it } from "vitest";
import { initialSwitches } from "../../local/platform/services/switches.ts";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  useBrowser,
} from "../helpers/browser.ts";
import { useConsole } from "../helpers/use-console.ts";

const console_ = useConsole();
const { at, ask } = console_;
const browser = useBrowser();

describeInBrowser("the app's parts of the World view", () => {
  it("keeps settings and switches, and sets them back", async () => {
    // What the page counts as set are this test's switches alone.
    const { deliveryTimeoutMs } = initialSwitches();
    Object.assign(console_.world.platform.switches, { deliveryTimeoutMs });
    const page = await browser.open(at("/#/world/settings"));
    await page.getByRole("checkbox", { name: "Calls" }).check();
    await expectShown(page.getByText("changed"));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-settings");
    await page.getByRole("button", { name: "Reset to defaults" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => page.getByRole("checkbox", { name: "Calls" }).isChecked()).toBe(false);

    await page.getByRole("link", { name: "Switches" }).click();
    await page.getByLabel("duplicateIdStatus").selectOption("409");
    await page.getByRole("checkbox", { name: "callbackRetries" }).check();
    await expectShown(page.getByText("default 400"));
    await expect
      .poll(() => console_.world.platform.switches)
      .toMatchObject({ duplicateIdStatus: 409, callbackRetries: true });
    await expectShown(page.getByRole("button", { name: "Reset 2" }));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-switches");
    await page.getByRole("button", { name: "Reset 2" }).click();
    await expectShown(page.getByRole("button", { name: "Reset all" }));
    await expect.poll(() => console_.world.platform.switches.duplicateIdStatus).toBe(400);
  });

  it("changes webhooks and their triggers, and connects the functions anew", async () => {
    const page = await browser.open(at("/#/world/webhooks"));
    await page.getByRole("link", { name: "CometChat Functions" }).click();
    await page.getByRole("checkbox", { name: "message_edited" }).check();
    await page.getByRole("button", { name: "All of Groups" }).click();
    await expectShown(page.getByRole("region", { name: "Triggers (13)" }));
    await page.getByLabel("Password").fill("another1");
    await page.getByRole("checkbox", { name: "Enabled" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await expectShown(page.getByText("Saved."));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-webhook");

    await page.getByRole("link", { name: "← Webhooks" }).click();
    await expectShown(page.getByText("The webhook is disabled. The webhook has other credentials"));
    expect(await page.content()).not.toContain("another1");
    await expectGoodLooks(page, "world-webhooks");
    await page.getByRole("button", { name: "Reconnect the functions" }).click();
    await expectShown(page.getByText("The functions are connected again."));
    expect(await ask("/api/world/webhooks/local-app")).toMatchObject({
      body: { functions: { problems: [] } },
    });
  });

  it("makes, copies and deletes keys without showing one, and gives a role permissions", async () => {
    const page = await browser.open(at("/#/world/keys"));
    await page.getByRole("textbox", { name: "New API key" }).fill("Job");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Copy Job" }).click();
    await expectShown(page.getByText("Copied."));
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^[0-9a-f]{40}$/);
    expect(await page.content()).not.toMatch(/[0-9a-f]{40}/);
    await page.getByRole("row", { name: /Job/ }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.getByRole("row", { name: /Job/ }).count()).toBe(0);
    await expectAccessible(page);
    await expectGoodLooks(page, "world-keys");

    await page.getByRole("button", { name: "Permissions of default" }).click();
    await page.getByLabel("createGroup", { exact: true }).selectOption("deny");
    await page.getByRole("button", { name: "Save permissions" }).click();
    await expectShown(page.getByText("Saved."));
    const body = { guid: "mine", name: "Mine", type: "public" };
    const refused = await fetch(at("/api/chat/local-app/groups"), {
      method: "POST",
      headers: { "content-type": "application/json", onBehalfOf: "alice" },
      body: JSON.stringify(body),
    });
    expect(refused.status).toBe(403);
  });

  it("turns a rule on, tries a text against it, and lets a moderator decide on what it blocked", async () => {
    const page = await browser.open(at("/#/world/moderation/rules"));
    await page.getByRole("checkbox", { name: "Profanity Filter is on" }).check();
    await page.getByRole("button", { name: "New rule" }).click();
    const dialog = page.getByRole("dialog", { name: "New rule" });
    await dialog.getByLabel("Name").fill("No pineapples");
    await dialog.getByLabel("Words, patterns").fill("pineapple\nananas");
    await dialog.getByLabel("Message to show").fill("Not on pizza.");
    await dialog.getByRole("button", { name: "Create rule" }).click();
    await expectShown(page.getByRole("row", { name: /No pineapples/ }));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-rules");

    await page.getByRole("link", { name: "Try a text" }).click();
    await page.getByLabel("Text", { exact: true }).fill("I like pineapple");
    await page.getByLabel("From").fill("alice");
    await page.getByLabel("To").fill("bob");
    await page.getByRole("button", { name: "Check" }).click();
    await expectShown(page.getByText("Not on pizza."));

    await fetch(at("/api/chat/local-app/messages"), {
      method: "POST",
      headers: { "content-type": "application/json", onBehalfOf: "alice" },
      body: JSON.stringify({
        receiver: "bob",
        receiverType: "user",
        category: "message",
        type: "text",
        data: { text: "Pineapple!" },
      }),
    });
    await page.getByRole("link", { name: "Queue", exact: true }).click();
    await expectShown(page.getByText("Pineapple!"));
    await expectAccessible(page);
    await expectGoodLooks(page, "world-queue");
    await page.getByRole("button", { name: /^Approve message/ }).click();
    await expectShown(page.getByRole("region", { name: "Reviewed (1)" }));

    await page.getByRole("link", { name: "Keyword lists" }).click();
    await page.getByRole("button", { name: "Edit profanity-list" }).click();
    await page.getByRole("dialog").getByLabel("Terms").fill("drat, heck");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expectShown(page.getByText("drat, heck"));
    await page.getByRole("link", { name: "Reasons" }).click();
    await expectShown(page.getByRole("table", { name: "Reasons" }));
    await expectAccessible(page);
  });
});
