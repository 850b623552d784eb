import { basename } from "node:path";
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
import { usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = usePages();

describeInBrowser("the console's frame", () => {
  it("opens the chat first, and links to each view by name, all accessible", async () => {
    await writeToSupport(console.world, "What is the price?");
    const page = await console.open("");
    const nav = page.getByRole("navigation", { name: "Views" });
    for (const name of [
      "Journeys",
      "Queues",
      "Try",
      "API explorer",
      "Flows",
      "Local stack",
      "Log",
      "Calls",
      "Chat",
    ]) {
      await nav.getByRole("link", { name }).click();
      await expectShown(page.getByRole("main", { name }));
      await expectAccessible(page, true);
    }
    const name = `${basename(console.world.cloud.serviceFolder)} · Local App`;
    await expectText(page.getByRole("banner"), name);
    await expect.poll(() => page.title()).toBe(`Chat · ${name}`);
  });

  it("shows the current view's name on a phone", async () => {
    const page = await console.open("#/calls", { viewport: { width: 390, height: 844 } });
    const endOfLink = async () => {
      const box = await page.getByRole("link", { name: "Calls", exact: true }).boundingBox();
      return (box?.x ?? 1_000) + (box?.width ?? 0);
    };
    await expect.poll(endOfLink).toBeLessThanOrEqual(390);
  });

  it("shows no other app in place of a removed one", async () => {
    const page = await console.open("#/chat/alice?app=gone", { expected: /404/ });
    await expectText(page, "There is no app gone");
    await page.goto(console.at("/#/api/list-users?app=gone"));
    await expectText(page, /"message": "The platform has no app gone/);
    await page.getByRole("combobox", { name: "App" }).selectOption({ label: "Local App" });
    await press(page, "Send", exact);
    await expectShown(page.getByRole("cell", { name: "Alice Nguyen" }));
  });

  it("reports an unknown view", async () => {
    const page = await console.open("#/nonsense/x");
    await expectText(page, "There is no view “nonsense”");
    await follow(page, "Open the chat.");
    await expectShown(page.getByRole("region", { name: /^Messages: |user$/ }).first());
  });

  it("reports a removed message", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob?message=999999", { expected: /404/ });
    await expectText(page.getByRole("alert"), "999999");
  });

  it("keeps the chosen colours after a reload", async () => {
    const page = await console.open("");
    const scheme = () => page.evaluate("getComputedStyle(document.body).colorScheme");
    await page.getByLabel("Colours").selectOption("dark");
    await expect.poll(scheme).toBe("dark");
    await page.reload();
    expect(await page.getByLabel("Colours").inputValue()).toBe("dark");
    await expect.poll(scheme).toBe("dark");
  });

  it.runIf(isNight)(
    "notifies more pages than a browser opens connections, also after the listening page is closed",
    async () => {
      const first = await console.open("");
      const pages = [first];
      while (pages.length < 7) {
        const page = await first.context().newPage();
        await page.goto(console.at("/#/api/list-users"));
        pages.push(page);
      }
      const last = pages[6] ?? first;
      const addUser = (uid: string) =>
        console.post("/api/chat/local-app/users", { uid, name: `Name of ${uid}` });
      await expectShown(last.getByRole("cell", { name: "alice", exact: true }));
      await addUser("heard");
      await expectShown(last.getByRole("cell", { name: "Name of heard" }));
      await first.close();
      await addUser("inherited");
      await expectShown(last.getByRole("cell", { name: "Name of inherited" }));
    },
  );

  it("shows “not connected” while the server is silent", async () => {
    const page = await console.open("");
    await page.clock.install();
    await page.reload();
    const banner = page.getByRole("banner");
    await expectShown(banner.getByText("live", { exact: true }));

    await page.clock.pauseAt(Date.now() + 60_000);
    // The server runs in real time: if its next heartbeat came in between, ten more seconds pass.
    const isSaid = async () => {
      await page.clock.runFor(10_000);
      return banner.getByText("not connected").isVisible();
    };
    await expect.poll(isSaid).toBe(true);
  });
});
