import { expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  expectText,
  press,
} from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { copied, usePages } from "../helpers/use-pages.ts";

const console = usePages();

describeInBrowser("the log", () => {
  it("shows new lines, by level, function and journey", async () => {
    const page = await console.open("#/log");
    await expectText(page, "No log lines yet");

    const id = await console.say("alice", "support", "What is the price?");
    const handled = page.getByText("handled an event").first();
    await expectShown(handled);

    await page.getByLabel("Level").selectOption("debug");
    await press(page, "Lambda's lines");
    await page.getByLabel("Function").selectOption("processEvents");
    await page.getByLabel("Search the log").fill("handled an");
    await expectShown(handled);
    await handled.click();
    await expectShown(page.getByRole("link", { name: "Its journey" }));
    await expectAccessible(page);
    await press(page, "Only this journey");
    await expectText(page, `journey: local-app|message_sent|${id}`);
    await page.getByRole("button", { name: "Copy the line" }).first().click();
    await expect.poll(() => copied(page)).toContain('"handled an event"');
    await press(page, "Remove the filter journey");
  });

  it.runIf(isNight)("follows the newest line, and stops after the user scrolls up", async () => {
    for (let count = 0; count < 12; count += 1) await console.say("alice", "support", `Message ${count}`);
    await console.world.cloud.drained();
    const page = await console.open("#/log?level=debug");
    const lines = page.getByRole("region", { name: "Lines" });
    await expectShown(lines.getByText("handled an event").last());
    const gap = () => lines.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(gap).toBeLessThan(2);

    await lines.evaluate((box) => {
      box.scrollTop = box.scrollHeight / 2;
    });
    await expectShown(page.getByRole("button", { name: "Resume" }));
    const top = await lines.evaluate((box) => box.scrollTop);
    await console.say("alice", "support", "While somebody reads");
    await page.getByRole("button", { name: /\d+ new lines? ↓/ }).waitFor();
    expect(await lines.evaluate((box) => box.scrollTop)).toBe(top);
    await expectAccessible(page);

    await press(page, /\d+ new lines? ↓/);
    await expect.poll(gap).toBeLessThan(2);
  });

  it("keeps typed text while it writes earlier letters into the address", async () => {
    const page = await console.open("#/log");
    const search = page.getByLabel("Search the log");
    await search.focus();
    await page.evaluate(
      `new Promise((resolve) => {
        const type = (text) => {
          document.activeElement.value = text;
          document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
        };
        addEventListener("hashchange", () => resolve(type("abc")), { once: true });
        type("ab");
      })`,
    );
    await expect.poll(() => page.url()).toMatch(/text=abc$/);

    expect(await search.inputValue()).toBe("abc");
    await page.evaluate("location.hash = '#/log'");
    await expect.poll(() => search.inputValue()).toBe("");
  });

  it.runIf(isNight)("is accessible and fits every screen", async () => {
    const page = await console.open("#/log");
    await page.getByText("handled an event").last().click();
    await expectGoodLooks(page, "log");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
  });
});
