import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import {
  describeInBrowser,
  exact,
  expectAccessible,
  expectShown,
  expectText,
  press,
} from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { seedHistory } from "../helpers/chat-history.ts";
import { expectGood, usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = usePages();
let first = "";

describeInBrowser("the search", () => {
  beforeAll(async () => {
    const { world } = console;
    first = await writeToSupport(world, "What is the price of Zebras? Or escalate.");
    await world.platform.idle();
    await world.cloud.settled();
    seedHistory(world, ["alice", "bob"], 2_000);
  });

  it("finds a message by its words, and opens it in its conversation by keyboard", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob");
    await expectShown(page.getByRole("article").last());

    await search(page, "number 1234");
    await expectShown(option(page, "Message number 1234,"));
    await expectGood(page, "search");
    await page.keyboard.press("Enter");

    await expectText(page.getByRole("article"), "Message number 1234,");
    expect(page.url()).toMatch(/#\/chat\/alice\/alice_user_bob\?message=\d+$/);
    await expect.poll(() => focused(page)).toBe("Chat");
  });

  it.runIf(isNight)("opens the same message again", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob");
    const found = page.getByRole("article").getByText("Message number 1234,");
    for (const _turn of ["once", "again"]) {
      await search(page, "number 1234,");
      await option(page, "Message number 1234,").click();
      await expectShown(found);
      await press(page, "↓ Newest");
      await found.waitFor({ state: "detached" });
    }
  });

  it.runIf(isNight)("restores the focus, also from another dialog", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob");
    await page.getByLabel("Write as alice").fill("a draft");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("zebra");
    await expectShown(option(page, /Zebras/));
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Write as alice");
    expect(await page.getByLabel("Write as alice").inputValue()).toBe("a draft");

    await press(page, "Switch user");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");
    await press(page.getByRole("dialog"), /Bob/);
    await expect.poll(() => focused(page)).toBe("Switch user");
  });

  it("finds users, groups, journeys, operations, functions and views", async () => {
    const page = await console.open("#/log");

    for (const [searched, name, goes] of [
      ["okaf", /Bob Okafor bob/, /#\/chat\/bob/],
      ["lobby", /Lobby lobby/, /#\/chat\/.*\/group_lobby/],
      ["zebras", /message_sent .*Zebras/, /#\/journeys\//],
      ["ban user", /ban/i, /#\/api\//],
      ["processev", /^processEvents Its log/, /#\/log.*function=processEvents/],
      ["time", /Timers Local stack/, /#\/stack\/timers/],
      ["queues", /Queues View/, /#\/queues/],
    ] as const) {
      await press(page, "Search", exact);
      await page.keyboard.type(searched);
      await option(page, name).click();

      await expect.poll(() => page.url(), { message: searched }).toMatch(goes);
    }
  });

  it.runIf(isNight)(
    "lists journeys with the words in their text before those with a matching trigger",
    async () => {
      const page = await console.open("#/log");
      await search(page, "escalate");
      await expectShown(option(page, /message_sent .*Thanks/));
      expect(
        await option(page, /^message_sent/)
          .first()
          .innerText(),
      ).toContain("Or escalate.");
    },
  );

  it.runIf(isNight)("finds an id, and moves through the hits with the arrow keys", async () => {
    const page = await console.open("#/log");

    await search(page, first);
    await expectShown(option(page, /price of Zebras/));
    await expect.poll(() => page.getByText("Searching …").count()).toBe(0);
    const hits = page.getByRole("listbox", { name: "Hits" }).getByRole("option");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => hits.last().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => hits.first().getAttribute("aria-selected")).toBe("true");
    await search(page, "nothing at all");

    await expectText(page, "No match for “nothing at all”.");
    await expectAccessible(page);
  });

  it.runIf(isNight)("opens the first hit even if Enter comes before the hits", async () => {
    const page = await console.open("#/log");
    await search(page, "alice");
    await expectShown(option(page, /^Alice/).first());
    await page.getByLabel("Search everything").fill("okaf");
    await page.keyboard.press("Enter");

    await expect.poll(() => page.url()).toMatch(/#\/chat\/bob/);
  });

  it.runIf(isNight)("keeps the chosen hit when others appear before it", async () => {
    const page = await console.open("#/log");
    const gate = Promise.withResolvers<void>();
    await page.route(/api\/journeys\?search/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await search(page, "message");
    await expectShown(option(page, /^messages/).first());
    await page.keyboard.press("ArrowUp");
    const chosen = page.getByRole("listbox", { name: "Hits" }).getByRole("option", { selected: true });
    const before = await chosen.innerText();
    gate.resolve();

    await expectShown(page.getByRole("group", { name: "Journeys" }));
    expect(await chosen.innerText()).toBe(before);
  });

  it.runIf(isNight)("goes to a date, and to the beginning of a conversation", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob");
    await expectText(page.getByRole("article"), "Message number 2000,");
    const { sentAt } = JSON.parse(
      String(console.world.platform.services.db.get("SELECT body FROM messages WHERE sender = 'bob'")?.body),
    );

    await press(page, "Go to a date");
    await expectAccessible(page);
    await press(page, "The beginning");
    await expectText(page.getByRole("article"), "Message number 1,");
    await search(page, new Date(sentAt * 1_000).toISOString().slice(0, 10));
    await option(page, /^Go to/).click();
    await expectText(page.getByRole("article"), "Message number 1,");
    await search(page, "2099-01-01");
    await option(page, /^Go to/).click();

    await expectText(page, "No message since 1 Jan 2099.");
    await expectText(page.getByRole("article"), "Message number 2000,");
  });

  it("shows no key", async () => {
    const key = console.world.app.fullAccessKey;
    await writeToSupport(console.world, `my key is ${key}`);
    const page = await console.open("#/log");

    await search(page, "my key is");

    await expectShown(option(page, /my key is \[redacted\]/));
    expect(await page.content()).not.toContain(key);
  });
});

async function search(page: Page, text: string) {
  const field = page.getByRole("combobox", { name: "Search everything" });
  if (!(await field.isVisible())) await page.keyboard.press("Control+k");
  await field.fill(text);
}

function option(page: Page, name: string | RegExp) {
  return page.getByRole("listbox", { name: "Hits" }).getByRole("option", { name }).first();
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement.getAttribute('aria-label')");
}
