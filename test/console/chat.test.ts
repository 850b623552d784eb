import { expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  useBrowser,
} from "../helpers/browser.ts";
import { useConsole } from "../helpers/use-console.ts";

const { at } = useConsole();
const browser = useBrowser();

describeInBrowser("the chat view", () => {
  it("lets one pick a user, write to another and read it on the other side", async () => {
    const page = await browser.open(at("/#/chat"));
    await page.getByRole("button", { name: /Alice Nguyen/ }).click();
    await page.getByRole("button", { name: "New", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: /Bob Okafor/ }).click();

    await page.getByLabel("Write as alice").fill("Hello Bob");
    await page.keyboard.press("Enter");
    await expectShown(page.getByRole("article").getByText("Hello Bob"));
    await page.getByRole("button", { name: "Second user" }).click();
    const second = page.getByRole("region", { name: "Second user" });
    await second.getByRole("button", { name: /Bob Okafor/ }).click();
    await second.getByRole("button", { name: /Alice Nguyen.*Hello Bob/ }).click();
    await second.getByLabel("Write as bob").fill("Hi Alice");
    await page.keyboard.press("Enter");

    const first = page.getByRole("region", { name: "First user" });
    await expectShown(first.getByRole("article").getByText("Hi Alice"));
    await expectShown(first.getByText(/^read/));
    await expectAccessible(page);
    await expectGoodLooks(page, "chat");
    expect(page.url()).toContain("#/chat/alice/alice_user_bob?beside=bob%2Falice_user_bob");
  });
});
