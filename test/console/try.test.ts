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

describeInBrowser("the view Try", () => {
  it("finds an event, changes it by form and JSON, sends it, and tells a repetition", async () => {
    const page = await browser.open(at("/#/try"));
    await page.getByLabel("Find an event or a question").fill("reacted");
    await page.getByRole("link", { name: /message_reaction_added/ }).click();

    await page.getByLabel("data.reaction.reaction", { exact: true }).fill("🎉");
    await page.getByRole("button", { name: "JSON" }).click();
    const json = page.getByLabel("Body");
    expect(JSON.parse(await json.inputValue())).toMatchObject({ data: { reaction: { reaction: "🎉" } } });
    await json.fill((await json.inputValue()).replace("🎉", "🚀").replace('"data": {', '"data" {'));
    await expectShown(page.getByRole("alert").filter({ hasText: /^Line 3, column \d+: Expected ':'/ }));
    await json.fill((await json.inputValue()).replace('"data" {', '"data": {'));
    await page.getByRole("button", { name: "Form", exact: true }).click();
    expect(await page.getByLabel("data.reaction.reaction", { exact: true }).inputValue()).toBe("🚀");

    await page.getByRole("button", { name: "Send", exact: true }).click();
    const came = page.getByRole("list", { name: "Results" });
    await expectShown(came.getByText("200", { exact: true }));
    await page.getByRole("button", { name: "Send the same again" }).click();
    await expectShown(came.getByText(/The same event as before/));
    await expectAccessible(page);
  });

  it("is a good page in every size", async () => {
    const page = await browser.open(at("/#/try/message_sent"));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectShown(page.getByRole("list", { name: "Results" }).getByText("200", { exact: true }));
    await expectAccessible(page);
    await expectGoodLooks(page, "try");
  });
});
