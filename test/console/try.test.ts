import { expect, it } from "vitest";
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
import { expectGood, usePages } from "../helpers/use-pages.ts";

const console = usePages();

describeInBrowser("the view Try", () => {
  it("finds an event, keeps changes by form and JSON, sends it, and reports a repetition", async () => {
    const page = await console.open("#/try");
    await page.getByLabel("Find an event or a question").fill("reacted");
    await follow(page, /message_reaction_added/);

    const reaction = page.getByLabel("data.reaction.reaction", { exact: true });
    await reaction.fill("🎉");
    await page.reload();
    await expect.poll(() => reaction.inputValue()).toBe("🎉");
    await press(page, "JSON");
    const json = page.getByRole("textbox", { name: "Body" });
    await expectShown(json.getByText('"🎉"'));
    await expectAccessible(page);
    await json.fill('{ "data" {} }');
    await expectShown(page.getByRole("alert").filter({ hasText: /^Expected ':'.*\(line 1 column 10\)/ }));
    await json.fill("");
    await expectShown(page.getByRole("alert").filter({ hasText: /JSON/ }));
    await press(page, "Start over");
    await expectText(json, "message_reaction_added");
    await press(page, "Form", exact);
    await reaction.fill("🚀");

    await press(page, "Send", exact);
    const came = page.getByRole("list", { name: "Results" });
    await expectShown(came.getByText("200", { exact: true }));
    await press(page, "Send the same again");
    await expectShown(came.getByText("repeated", { exact: true }));
    await expectShown(came.getByRole("listitem").last().getByText("no trigger", { exact: true }));
    await expectAccessible(page);
  });

  it.runIf(isNight)("accepts JSON as fast as it is typed, also after a restart", async () => {
    const page = await console.open("#/try/message_sent");
    await press(page, "JSON");
    const json = page.getByRole("textbox", { name: "Body" });
    await json.press("ControlOrMeta+a");
    await page.keyboard.type('{"bro', { delay: 20 });
    // As after each reconnect: the sample is read again, with new ids.
    const sample = page.waitForResponse(/\/api\/try\/samples\//);
    await page.evaluate(`new BroadcastChannel("notices").postMessage({ isConnected: true, topics: "all" })`);
    await sample;
    await page.keyboard.type('ken": ', { delay: 20 });
    await expectShown(page.getByRole("alert").filter({ hasText: /JSON/ }));
    expect(await json.innerText()).toContain('{"broken": ');
    await press(page, "Start over");
    await expectText(json, "message_sent");
  });

  it.runIf(isNight)("is accessible and fits every screen", async () => {
    const page = await console.open("#/try/message_sent");
    await press(page, "Send", exact);
    await expectShown(page.getByRole("list", { name: "Results" }).getByText("200", { exact: true }));
    await expectGood(page, "try");
    // The platform lacks the message, so that the page does not open with it.
    expect(await console.answer("/api/facts")).not.toHaveProperty("newestConversation");
  });
});
