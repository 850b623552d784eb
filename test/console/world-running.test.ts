import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { describeInBrowser, expectAccessible, expectGoodLooks, expectShown } from "../helpers/browser.ts";
import { usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = usePages();

describeInBrowser("the parts of the World view that run it", () => {
  // First, while nothing is on its way: what comes later would be counted, too.
  it("save the world by a name and go back to it", async () => {
    const { world } = console;
    const count = () => world.platform.services.db.all("SELECT id FROM messages").length;
    await world.cloud.drained();
    await world.platform.idle();
    const page = await open("snapshots");
    await expectShown(page.getByText("No snapshot yet"));

    await page.getByLabel("Name").fill("before lunch");
    await page.getByRole("button", { name: "Save" }).click();
    await expectShown(page.getByRole("cell", { name: "before lunch" }));
    await expectAccessible(page);
    await looks(page, "snapshots");
    const then = count();
    await writeToSupport(world, "What is the price of lunch?");
    await page.getByRole("button", { name: "Restore" }).click();
    await expectShown(page.getByRole("dialog", { name: "Restore before lunch?" }));
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();

    await expectShown(page.getByText("Restored before lunch."));
    expect(count()).toBe(then);
  });

  it("put the clock forward, freeze it and let it go, and the page's head tells", async () => {
    const page = await open("clock");

    await page.getByRole("button", { name: "Forward by 1 day" }).click();
    await expectShown(page.getByRole("status", { name: "Notifications" }).getByText(/due/));
    await expectShown(page.getByRole("link", { name: /Local stack’s time/ }));
    await page.getByRole("button", { name: "Freeze" }).click();
    await expectShown(page.getByText("frozen").first());
    await expectAccessible(page);
    await looks(page, "clock");
    await page.getByRole("button", { name: "Let it run" }).click();

    await expectShown(page.getByRole("button", { name: "Freeze" }));
    await expect.poll(() => console.world.clock?.setting.frozenAtMs).toBeUndefined();
  });

  it("show what waits, and have one of them happen now", async () => {
    const { world } = console;
    // The platform's next try, which comes after ten seconds, waits for this test.
    world.clock?.freeze();
    onTestFinished(() => world.clock?.letGo());
    await world.cloud.stopQueue();
    await writeToSupport(world, "What is the price of waiting?");
    await world.platform.idle();
    await world.cloud.startQueue();
    const page = await open("timers");
    await expectAccessible(page);
    await looks(page, "timers");

    await page.getByRole("button", { name: "Now: message_sent is delivered again" }).click();

    await page
      .getByRole("button", { name: "Now: message_sent is delivered again" })
      .waitFor({ state: "detached" });
    await world.platform.idle();
    await world.cloud.settled();
    expect(world.platform.deliveries().some(({ state }) => state === "delivered")).toBe(true);
  });

  it("turn faults on, tell how often each struck, and turn all off", async () => {
    const { world } = console;
    const page = await open("faults");
    const tables = page.getByRole("region", { name: "DynamoDB, the tables" });

    await tables.getByLabel("Slower by ms").fill("5");
    await expect.poll(() => world.cloud.faults.settings().services.dynamodb.slowMs).toBe(5);
    await page.getByRole("button", { name: "Deliveries twice" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).first().click();
    await expectShown(page.getByText("processEvents is killed after request 1 to the platform"));
    await writeToSupport(world, "What is the price of trouble?");
    await expectShown(tables.getByText(/^occurred/));
    await expectAccessible(page);
    await looks(page, "faults");
    const second = await console.open("#/chat");
    const told = second.getByRole("link", { name: "faults on" });
    await expectShown(told);
    await expectShown(told.getByText(/^[01]:\d\d$/));
    await page.getByRole("button", { name: "All off" }).click();

    await expectShown(tables.getByText("never occurred"));
    await told.waitFor({ state: "detached" });
    expect(world.platform.faults.settings().rules).toEqual([]);
  });

  it("let the functions alone meet a fault, for a minute", async () => {
    const { world } = console;
    const page = await open("faults");
    await page.getByRole("button", { name: "Requests throttled" }).click();
    await expectShown(page.getByText(/request: tooManyRequests, callers functions/));
    const chat = await console.open("#/chat/bob/bob_user_support");
    const replies = chat.getByRole("article", { name: /^support/i });
    const before = await replies.count();

    await chat.getByLabel("Write as bob").fill("What is the price of a minute?");
    await chat.keyboard.press("Enter");
    await expectShown(chat.getByRole("article").getByText("What is the price of a minute?"));
    await expect.poll(() => world.platform.faults.strikes()[0]?.faults).toBeGreaterThan(0);
    await world.clock?.moveTo(() => (world.clock?.now() ?? 0) + 60_000);

    await expectShown(page.getByText(/^occurred .*, over$/));
    await chat.getByRole("link", { name: "faults on" }).waitFor({ state: "detached" });
    // The conversation's next try.
    await world.clock?.moveTo(() => (world.clock?.now() ?? 0) + 1_800_000);
    await expect.poll(() => replies.count()).toBe(before + 1);
    await page.getByRole("button", { name: "Off: request: tooManyRequests" }).click();
  });

  it("keep what triggers did in words, and open an item", async () => {
    const { world } = console;
    await writeToSupport(world, "What is the price of words?");
    await world.platform.idle();
    await world.cloud.settled();
    const page = await open("state?table=EffectsTable");

    await expectShown(page.getByText("auto-reply: reply").first());
    await looks(page, "state");
    await page.getByRole("button", { name: "Open auto-reply: reply" }).first().click();

    await expectShown(page.getByRole("dialog", { name: "auto-reply: reply" }));
    await expectAccessible(page);
  });

  it("change a field of a secret, of which nothing is shown but its end", async () => {
    const page = await open("secrets");
    const card = page.getByRole("region", { name: /local-app$/ });

    await card.getByRole("button", { name: /^Add a field/ }).click();
    await page.getByLabel("Field", { exact: true }).fill("shopKey");
    await page.getByLabel("New value").fill("a-key-of-many-letters");
    await page.getByRole("button", { name: "Save" }).click();

    await expectShown(card.getByText("••••ters"));
    expect(await page.content()).not.toContain(console.world.webhook.password);
    await expectAccessible(page);
    await looks(page, "secrets");
  });

  async function open(part: string): Promise<Page> {
    const page = await console.open(`#/world/${part}`);
    await expectShown(page.getByRole("heading", { level: 2 }).first());
    return page;
  }
  async function looks(page: Page, name: string): Promise<void> {
    await expectGoodLooks(page, `world-${name}`);
  }
});
