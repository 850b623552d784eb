import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { describeInBrowser, expectAccessible, expectShown, expectText, press } from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { brokenLine, copyJourneysProject } from "../helpers/journeys-project.ts";
import { copied, expectGood, usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const folder = await copyJourneysProject();
const console = usePages({ cloud: { serviceFolder: folder } });

const rows = (page: Page) => page.getByRole("table", { name: "Journeys" }).getByRole("link");
const detail = (page: Page) => page.getByRole("region", { name: "Journey", exact: true });

/** As many as there are for the page to show. */
async function countJourneys(): Promise<number> {
  const { body } = await console.ask("/api/journeys");
  return Reflect.get(Object(body), "rows").length;
}

async function openWith(text: string): Promise<Page> {
  const messageId = await writeToSupport(console.world, text);
  return console.open(`#/journeys?message=${messageId}`);
}

describeInBrowser("the view of journeys", () => {
  it.runIf(isNight)("shows what to do before the first delivery", async () => {
    const page = await console.open("#/journeys");

    await expectText(page, "No deliveries yet");
    await expectAccessible(page);
  });

  it("links a message to its journey, and that to its reply", async () => {
    const page = await openWith("What is the price?");

    await expectShown(detail(page).getByRole("heading", { name: "message_sent acted" }));
    await expectShown(detail(page).getByText("effect reply done now"));
    await detail(page).getByText("POST /messages").click();
    await expectShown(detail(page).getByRole("figure", { name: "Sent" }).first());
    await expectGood(page, "journeys-done");
    await detail(page)
      .getByRole("link", { name: /^message_sent d\d+/ })
      .click();
    await expectShown(detail(page).getByText("Caused by"));
    await page.goBack();
    await expectShown(detail(page).getByText("effect reply done now"));
  });

  it("shows a failed trigger in red with its source line, and handles the event again", async () => {
    const page = await openWith("please break shoes");

    await expectShown(detail(page).getByRole("heading", { name: "message_sent failed" }));
    const place = detail(page).getByRole("link", { name: `functions/own/fates.ts:${brokenLine}` });
    expect(await place.getAttribute("href")).toMatch(/^vscode:\/\/file\/.*\/functions\/own\/fates\.ts:\d+$/);
    await expectShown(detail(page).getByText("const { amount } = prices[wanted]"));
    await expectGood(page, "journeys-failed");
    await detail(page).getByRole("button", { name: "Handle again" }).click();
    await expectShown(page.getByRole("status", { name: "Notifications" }).getByText(/./).first());
    await expectShown(detail(page).getByRole("heading", { name: /^(Consumer|Handled again), attempt 2$/ }));

    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(console.at("/#/queues/parked-lanes"));
    const column = page.getByRole("columnheader", { name: "Waits for" });
    expect((await column.boundingBox())?.width).toBeGreaterThan(100);
  });

  it.runIf(isNight)(
    "opens from a message's mark, which is red like the count beside the view's name",
    async () => {
      const page = await console.open("");

      const message = page.getByRole("article").filter({ hasText: "please break shoes" });
      const mark = message.getByRole("link", { name: /^Journey: failed/ });
      await expectShown(mark);
      await expectShown(page.getByRole("link", { name: /^Journeys \d+ failed$/ }));
      await expectGood(page, "chat-failed");
      await mark.click();

      await expectShown(detail(page).getByRole("heading", { name: "message_sent failed" }));
    },
  );

  it.runIf(isNight)("filters, searches, pauses, and supports the keyboard", async () => {
    const page = await console.open("#/journeys");
    await expectShown(rows(page).first());
    // The replies are written and delivered, too.
    await console.world.platform.idle();
    await console.world.cloud.settled();
    await console.world.platform.idle();
    await expect.poll(async () => (await rows(page).count()) === (await countJourneys())).toBe(true);
    const all = await rows(page).count();

    await press(page, /^failed/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await press(page, /^failed/);
    await expect.poll(() => rows(page).count()).toBe(all);
    await page.getByRole("searchbox", { name: "Search journeys" }).fill("cannot destructure");
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole("searchbox", { name: "Search journeys" }).fill("");
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("auto-reply");
    await expect.poll(() => page.url()).toContain("handler=auto-reply");
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("");
    await expect.poll(() => rows(page).count()).toBe(all);

    await press(page, "Pause");
    await writeToSupport(console.world, "one more");
    // Its reply is delivered, too, some time later.
    const paused = async () => `Resume (${(await countJourneys()) - all} new)`;
    await expect.poll(async () => page.getByRole("button", { name: await paused() }).isVisible()).toBe(true);
    expect(await rows(page).count()).toBe(all);
    await press(page, /^Resume/);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(all);

    await page.getByRole("main").focus();
    const none = page.url();
    await page.keyboard.press("j");
    await expect.poll(() => page.url()).not.toBe(none);
    const first = page.url();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.url()).not.toBe(first);
    await page.keyboard.press("k");
    await expect.poll(() => page.url()).toBe(first);
  });

  it("copies a journey as a command, and sends it again", async () => {
    const page = await openWith("What is the price, please?");
    await expectShown(detail(page).getByRole("heading", { name: /message_sent/ }));

    await detail(page).getByRole("button", { name: "Copy as curl", exact: true }).click();
    await expectText(page, "Copied.");
    const text = await copied(page);
    await detail(page).getByRole("button", { name: "Send again" }).click();
    await expectText(page, "The platform sends it again.");

    expect(text).toContain('"$WEBHOOK_PASSWORD"');
    expect(page.url()).not.toContain(console.world.webhook.password);
    await expectShown(detail(page).getByText("the queue received the same event within five minutes"));
  });

  it.runIf(isNight)("shows each journey's app if there are several", async () => {
    const page = await openWith("Who is served?");
    await expectShown(rows(page).first());
    const before = await page.getByRole("cell", { name: /local-app/ }).count();

    await fetch(`${console.world.platform.managementUrl}/apps`, {
      method: "POST",
      headers: { ...defaultSeed.management, "content-type": "application/json" },
      body: JSON.stringify({ name: "Second", region: "eu" }),
    });
    await page.reload();

    await expectShown(page.getByRole("cell", { name: /local-app/ }).first());
    expect(before).toBe(0);
  });
});
