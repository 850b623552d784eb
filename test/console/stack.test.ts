import type { Locator, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { initialSwitches } from "../../local/platform/services/switches.ts";
import { describeInBrowser, expectShown, expectText, follow } from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { expectGood, usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = usePages();

async function open(part: string): Promise<Page> {
  const page = await console.open(`#/stack/${part}`);
  await expectShown(page.getByRole("heading", { level: 2 }).first());
  return page;
}

function press(within: Page | Locator, name: string | RegExp) {
  return within.getByRole("button", { name }).first().click();
}

describeInBrowser("the view of the local stack", () => {
  // First, while the queues are empty: later events would be counted, too.
  it("saves the local stack under a name and restores it", async () => {
    const { world } = console;
    const count = () => world.platform.services.db.all("SELECT id FROM messages").length;
    await world.cloud.drained();
    await world.platform.idle();
    const page = await open("snapshots");
    await expectText(page, "No snapshot yet");
    await page.getByLabel("Name").fill("before lunch");
    let asked = 0;
    const isAsked = Promise.withResolvers<void>();
    const isSeen = Promise.withResolvers<void>();
    await page.route("**/api/stack/snapshots", async (route) => {
      if (route.request().method() === "POST") asked += 1;
      isAsked.resolve();
      await isSeen.promise;
      await route.continue();
    });
    await press(page, "Save");
    await isAsked.promise;
    await press(page, "Save");
    isSeen.resolve();
    await expectText(page, "Saved as before lunch.");
    expect(asked).toBe(1);
    await expectShown(page.getByRole("cell", { name: "before lunch" }));
    const then = count();
    await writeToSupport(world, "What is the price of lunch?");
    await press(page, "Restore");
    await expectGood(page, "world-snapshots");
    await page
      .getByRole("dialog", { name: "Restore before lunch?" })
      .getByText("Restore", { exact: true })
      .click();

    await expectText(page, "Restored before lunch.");
    expect(count()).toBe(then);
  });

  it.runIf(isNight)(
    "moves the clock forward, freezes and resumes it, and shows this in the page's header",
    async () => {
      const page = await open("clock");
      await press(page, "Freeze");
      await expect.poll(() => Date.now() - (console.world.clock?.now() ?? 0)).toBeGreaterThan(2_000);
      await press(page, "Let it run");
      await expectText(page, /^\d.* behind the machine’s clock$/);
      await press(page, "Forward by 1 day");
      await expectText(page.getByRole("status", { name: "Notifications" }), /due/);
      await expectShown(page.getByRole("link", { name: /Local stack’s time/ }));
      await press(page, "Freeze");
      await expectShown(page.getByText("frozen").first());
      await expectGood(page, "stack-clock");
      await press(page, "Let it run");

      await expectShown(page.getByRole("button", { name: "Freeze" }));
      await expect.poll(() => console.world.clock?.setting.frozenAtMs).toBeUndefined();
    },
  );

  it("shows timers, and fires one early", async () => {
    const { world } = console;
    // The platform's next try, after ten seconds, waits for this test.
    world.clock?.freeze();
    onTestFinished(() => world.clock?.unfreeze());
    await world.cloud.stopQueue();
    await writeToSupport(world, "What is the price of waiting?");
    await world.platform.idle();
    await world.cloud.startQueue();
    const page = await open("timers");
    await expectGood(page, "world-timers");
    const now = page.getByRole("button", { name: "Now: message_sent is delivered again" });
    await now.click();

    await now.waitFor({ state: "detached" });
    await world.platform.idle();
    await world.cloud.settled();
    expect(world.platform.deliveries().some(({ state }) => state === "delivered")).toBe(true);
  });

  it("turns faults on, shows each one's count, and turns all off", async () => {
    const { world } = console;
    world.clock?.freeze();
    onTestFinished(() => world.clock?.unfreeze());
    const page = await open("faults");
    await press(page, "Deliveries twice");
    await page.getByLabel("services.dynamodb.slowMs", { exact: true }).fill("5");
    await press(page, "Add an item to kills");
    await page.getByLabel("kills.0.functionKey").selectOption("processEvents");
    await press(page, "Apply");
    await expect.poll(() => world.cloud.faults.settings().services.dynamodb.slowMs).toBe(5);
    expect(world.cloud.faults.settings().kills).toMatchObject([{ functionKey: "processEvents", chance: 1 }]);
    await writeToSupport(world, "What is the price of trouble?");
    await expectShown(page.getByText(/^occurred/).first());
    await expectGood(page, "world-faults");
    const second = await console.open("#/chat");
    const told = second.getByRole("link", { name: "faults on" });
    await expectText(told, /^[0-2]:\d\d$/);
    await press(page, "All off");
    await expect.poll(() => page.evaluate("document.activeElement === document.body")).toBe(false);

    await told.waitFor({ state: "detached" });
    expect(world.platform.faults.settings().rules).toEqual([]);
  });

  it.runIf(isNight)("limits a fault to the functions, for a minute", async () => {
    const { world } = console;
    const page = await open("faults");
    await press(page, "Requests answered 500");
    await expectText(page, /request: serverError, callers functions/);
    const chat = await console.open("#/chat/bob/bob_user_support");
    const replies = chat.getByRole("article", { name: /^support/i });
    const before = await replies.count();

    await chat.getByLabel("Write as bob").fill("What is the price of a minute?");
    await chat.keyboard.press("Enter");
    await expectText(chat.getByRole("article"), "What is the price of a minute?");
    await expect.poll(() => world.platform.faults.strikes()[0]?.faults).toBeGreaterThan(0);
    await world.clock?.moveTo(() => (world.clock?.now() ?? 0) + 60_000);

    await expectText(page, /^occurred .*, over$/);
    await chat.getByRole("link", { name: "faults on" }).waitFor({ state: "detached" });
    // The conversation's next try.
    await world.clock?.moveTo(() => (world.clock?.now() ?? 0) + 1_800_000);
    await expect.poll(() => replies.count()).toBe(before + 1);
    await press(page, "Off: request: serverError");
  });

  it("describes what triggers did, and opens an item", async () => {
    const page = await open("state?table=EffectsTable");
    await press(page, "Open auto-reply: reply");

    await expectShown(page.getByRole("dialog", { name: "auto-reply: reply" }));
    await expectGood(page, "world-state");
  });

  it("changes a field of a secret, and shows only its end", async () => {
    const page = await open("secrets");
    const card = page.getByRole("region", { name: /local-app$/ });
    await press(card, "Add a field");
    await page.getByLabel("Field", { exact: true }).fill("shopKey");
    await page.getByLabel("New value").fill("a-key-of-many-letters");
    await press(page, "Save");

    await expectText(card, "••••ters");
    expect(await page.content()).not.toContain(console.world.webhook.password);
    await expectGood(page, "world-secrets");
  });

  it.runIf(isNight)("keeps settings and switches, and resets them", async () => {
    // The page counts only this test's switches as set.
    const { switches } = console.world.platform;
    const { deliveryTimeoutMs } = initialSwitches();
    Object.assign(switches, { deliveryTimeoutMs });
    const page = await open("settings");
    const calls = page.getByRole("checkbox", { name: "Calls" });
    await calls.click();
    await expectText(page, "changed");
    await expectGood(page, "world-settings");
    await press(page, "Reset to defaults");
    await press(page.getByRole("dialog"), "Reset to defaults");
    await expect.poll(() => calls.isChecked()).toBe(false);

    await follow(page, "Switches");
    await page.getByLabel("duplicateIdStatus").selectOption("409");
    await page.getByRole("checkbox", { name: "callbackRetries" }).click();
    await expect.poll(() => switches).toMatchObject({ duplicateIdStatus: 409, callbackRetries: true });
    await expectGood(page, "world-switches");
    await press(page, "Reset 2");
    await expect.poll(() => switches.duplicateIdStatus).toBe(400);
  });

  it("chooses the engine, and reconnects the functions", async () => {
    const page = await open("webhooks");
    await page.getByLabel("Delivering").selectOption("legacy");
    await expectText(page, "The legacy engine delivers, but");
    await expectGood(page, "world-webhooks");
    await press(page, "Reconnect the functions");
    await expectText(page, "The functions are connected again.");
  });

  it("checks a text against the rules", async () => {
    const condition = { category: "word", operand: "text", operator: "contains", value: ["pineapple"] };
    const conditions = [{ ...condition, message: ["Not on pizza."] }];
    await console.post("/api/chat/local-app/moderation/rules", { name: "No pineapples", conditions });
    const page = await open("moderation");
    await page.getByLabel("Text", { exact: true }).fill("I like pineapple");
    await page.getByLabel("From").fill("alice");
    await page.getByLabel("To").fill("bob");
    await press(page, "Check");
    await expectText(page, "Not on pizza.");
    await expectGood(page, "world-moderation");
    await follow(page, "rules");
    await expectShown(page.getByRole("link", { name: "no-pineapples" }));
  });

  it.runIf(isNight)("finds behaviours in the ledger by word, kind and level", async () => {
    const page = await open("fidelity");
    await page.getByLabel("Kind").selectOption("switch");
    await page.getByRole("searchbox", { name: "Search" }).fill("callbackRetries");
    await expectText(page, "1–1 of 1");
    await page.getByLabel("Level").selectOption("documented");
    await expectText(page, "Nothing matches");
    await page.getByLabel("Level").selectOption("");
    await page.getByRole("searchbox", { name: "Search" }).fill("");
    await expectShown(page.getByRole("cell", { name: "secondRetryFrom" }));
    await expectGood(page, "world-fidelity");
  });

  // Last, because it removes everything.
  it.runIf(isNight)("creates load, shows it page by page, and resets", async () => {
    const page = await open("seed");
    await page.getByLabel("Users", { exact: true }).fill("1000");
    await page.getByLabel("Messages", { exact: true }).fill("3000");
    await press(page, "Create");
    await expectText(page, "1,000 users and 3,000 messages created in");
    await expectGood(page, "world-seed");

    await page.goto(console.at("/#/api/list-users"));
    await expectText(page, "1–100 of 1,004");
    await press(page, "Next");
    await expectText(page, "101–200 of 1,004");
    await press(page, "Add searchKey");
    await page.getByLabel("searchKey", { exact: true }).fill("load-0042");
    await press(page, "Remove page");
    await press(page, "Send");
    await expectText(page, "1–1 of 1");

    await page.goto(console.at("/#/stack/seed"));
    await press(page, "Reset the local stack");
    await press(page.getByRole("dialog"), "Reset the local stack");
    await expectText(page, "The local stack is reset.");
    const contents = { users: 4, messages: 0 };
    expect(await console.ask("/api/stack/seed/local-app")).toMatchObject({ body: { contents } });
  });
});
