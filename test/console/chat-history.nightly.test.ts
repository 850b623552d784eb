import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, expectShown, expectText, press } from "../helpers/browser.ts";
import { seedHistory } from "../helpers/chat-history.ts";
import { usePages } from "../helpers/use-pages.ts";

// Without events for the functions, whose work in a flood is measured elsewhere.
const console = usePages({ triggerIds: ["group_created"] });

describeInBrowser("the chat view with a long history", () => {
  beforeAll(() => {
    const { world } = console;
    seedHistory(world, ["alice", "support"], 100);
    seedHistory(world, ["alice", "bob"], 100_000);
  });

  it("opens 100,000 messages about as fast as 100, and keeps at most 300 while scrolling back", async () => {
    const page = await console.open("#/chat");
    const short: Opening[] = [];
    const long: Opening[] = [];
    for (let round = 0; round < 3; round += 1) {
      short.push(await open(page, "alice_user_support", "Message number 100,"));
      long.push(await open(page, "alice_user_bob", "Message number 100000,"));
    }
    const messages = page.getByRole("region", { name: /^Messages: / });
    for (let number = 0; number < 12; number += 1) {
      const first = await firstShown(page);
      await messages.press("Home");
      await expect.poll(() => firstShown(page)).toBeLessThan(first);
    }

    const figures = { short: least(short), long: least(long), rows: await page.getByRole("article").count() };
    process.stderr.write(`chat view: ${JSON.stringify(figures)}\n`);
    expect(figures.long.shownMs).toBeLessThan(3 * figures.short.shownMs + 500);
    expect(figures.long.heapMb).toBeLessThan(2 * figures.short.heapMb + 5);
    expect(figures.rows).toBeLessThanOrEqual(300);
    await press(page, "↓ Newest");
    await expectText(page.getByRole("article"), "Message number 100000,");
  });

  it("finds a rare word among 100,000 messages within 200 ms", async () => {
    const answers: number[] = [];
    for (const text of ["number 4711,", "no such word", "entities"]) {
      const beganMs = performance.now();
      const { body } = await console.ask(
        `/api/platform/apps/local-app/search?${new URLSearchParams({ text, limit: "1" })}`,
      );
      answers.push(Math.round(performance.now() - beganMs));
      expect(body).toMatchObject({ messages: text.startsWith("number") ? [{}] : [], isWhole: true });
    }

    process.stderr.write(`search of 100,000 messages: ${answers.join(", ")} ms\n`);
    expect(Math.min(...answers)).toBeLessThan(200);
  });

  it("keeps the scroll position when newer or older messages arrive", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob?message=50000");
    const read = page.getByRole("article", { name: /message 50000$/ });
    await expectShown(read);
    const before = await read.boundingBox();

    await console.say("bob", "alice", "one that comes meanwhile");
    await page.getByRole("button", { name: /one that comes meanwhile/ }).waitFor();

    expect(await read.boundingBox()).toEqual(before);
    expect(await page.getByRole("article").getByText("one that comes meanwhile").count()).toBe(0);

    const first = await firstShown(page);
    const oldest = page.getByRole("article", { name: new RegExp(`message ${first}$`) });
    await page.getByRole("region", { name: /^Messages: / }).press("Home");
    await expect.poll(() => firstShown(page)).toBeLessThan(first);
    expect((await oldest.boundingBox())?.y).toBeLessThan(300);
  });

  it("stays usable in a flood of 1,000 messages, and sends far fewer requests", async () => {
    const page = await console.open("#/chat/alice/alice_user_bob");
    const beganMs = performance.now();
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/messages?")) asked += 1;
    });
    await page.getByLabel("Write as alice").fill("begun");

    const flood = Array.from({ length: 10 }, async (_, lane) => {
      for (let number = 0; number < 100; number += 1)
        await console.say("bob", "alice", `flood ${lane} ${number}`);
    });
    await page.getByLabel("Write as alice").pressSequentially(" and typed meanwhile");
    expect(await page.getByLabel("Write as alice").inputValue()).toBe("begun and typed meanwhile");
    await Promise.all(flood);
    await console.say("bob", "alice", "the last of them");

    await expectText(page.getByRole("article"), "the last of them");
    const seconds = (performance.now() - beganMs) / 1_000;
    process.stderr.write(`chat view: ${asked} requests for 1,000 messages in ${seconds.toFixed(1)} s\n`);
    // A machine on which the flood lasts for minutes lets it look more often.
    expect(asked).toBeLessThan(Math.max(300, 5 * seconds));
    expect(await page.getByRole("article").count()).toBeLessThanOrEqual(300);
  });
});

interface Opening {
  readonly shownMs: number;
  readonly heapMb: number;
}

async function open(page: Page, conversationId: string, newest: string): Promise<Opening> {
  await page.goto("about:blank");
  const beganMs = performance.now();
  await page.goto(console.at(`/#/chat/alice/${conversationId}`));
  await page.getByRole("article").getByText(newest).waitFor();
  const shownMs = performance.now() - beganMs;
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return { shownMs: Math.round(shownMs), heapMb: Math.round(usedSize / 100_000) / 10 };
}

function least(openings: readonly Opening[]): Opening {
  return {
    shownMs: Math.min(...openings.map(({ shownMs }) => shownMs)),
    heapMb: Math.min(...openings.map(({ heapMb }) => heapMb)),
  };
}

async function firstShown(page: Page) {
  const name = await page.getByRole("article").first().getAttribute("aria-label");
  return Number(/\d+$/.exec(name ?? "")?.[0]);
}
