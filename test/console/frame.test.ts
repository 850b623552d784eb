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

describeInBrowser("the console's frame", () => {
  it("opens with the chat, and leads to each view by its name", async () => {
    const page = await browser.open(at("/"));
    const nav = page.getByRole("navigation", { name: "Views" });
    for (const name of ["Journeys", "Queues", "Try", "Flows", "World", "Log", "Calls", "Chat"]) {
      await nav.getByRole("link", { name }).click();
      await expectShown(page.getByRole("main", { name }));
    }
    await expect.poll(() => page.title()).toBe("Chat · Local world");
  });

  it("keeps the chosen colours over a reload", async () => {
    const page = await browser.open(at("/"));
    await page.getByLabel("Colours").selectOption("dark");
    await page.reload();
    expect(await page.getByLabel("Colours").inputValue()).toBe("dark");
    expect(await page.evaluate("getComputedStyle(document.body).colorScheme")).toBe("dark");
  });

  it("is accessible and fits every screen", async () => {
    const page = await browser.open(at("/"));
    await expectShown(page.getByText("live", { exact: true }));
    await expectAccessible(page);
    await expectGoodLooks(page, "frame");
  });
});
