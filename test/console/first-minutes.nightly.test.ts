import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod/mini";
import { describeInBrowser, expectShown, useBrowser } from "../helpers/browser.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const folder = copyProject({});
const replies = join(folder, "config/replies.yml");
const trigger = join(folder, "lib/behaviours/replies/create-auto-reply.ts");
const browser = useBrowser();
let started: { readonly child: ChildProcess; readonly url: string } | undefined;

beforeAll(async () => {
  started = await start();
});
afterAll(async () => {
  if (started !== undefined) {
    const ended = once(started.child, "exit");
    started.child.kill("SIGINT");
    await ended;
  }
  removeCopy(folder);
});

describeInBrowser("the first minutes with a new project", () => {
  it("are: write, see the reply and its way, change it, break it, see where, mend it, try again", async () => {
    const page = await browser.open(`${started?.url}#/chat/alice`, {
      viewport: { width: 1440, height: 900 },
    });

    // The reply to the first message, which the start wrote, is there.
    await page.getByRole("button", { name: /Support Team/ }).click();
    await expectShown(page.getByRole("article").getByText("Hello, is anybody there?"));

    await write(page, "What is the price?");
    await expectShown(page.getByRole("article").getByText(/^Thanks for asking about prices!/));
    await openJourney(page, "What is the price?");
    await expectShown(detail(page).getByRole("heading", { name: "message_sent acted" }));

    await edit(replies, (text) => text.replace("Thanks for asking about prices!", "Prices? With pleasure!"));
    await page.goBack();
    await write(page, "And what is the price of two?");
    await expectShown(page.getByRole("article").getByText(/^Prices\? With pleasure!/));

    const source = readFileSync(trigger, "utf8");
    const broken = "const broken = Object(undefined).rules.length;";
    await edit(trigger, (text) => text.replace(/( *)const rule = findReplyRule/, `$1${broken}\n$&`));
    await write(page, "The price of three?");
    await openJourney(page, "The price of three?");
    await expectShown(detail(page).getByRole("heading", { name: "message_sent failed" }));
    const line =
      readFileSync(trigger, "utf8")
        .split("\n")
        .findIndex((text) => text.includes(broken)) + 1;
    await expectShown(
      detail(page).getByText(`lib/behaviours/replies/create-auto-reply.ts:${line}`, { exact: true }),
    );
    await expectShown(detail(page).getByText(broken));

    await edit(trigger, () => source);
    await expectShown(page.getByText(/^edit live in/));
    await detail(page).getByRole("button", { name: "Handle again" }).click();
    await expectShown(detail(page).getByRole("heading", { name: "message_sent acted" }));
    await page.goBack();
    const answered = page.getByRole("article").getByText(/^Prices\? With pleasure!/);
    await expect.poll(() => answered.count()).toBe(2);
  });
});

async function write(page: Page, text: string) {
  await page.getByLabel("Write as alice").fill(text);
  await page.keyboard.press("Enter");
  await expectShown(page.getByRole("article").getByText(text, { exact: true }));
}

async function openJourney(page: Page, text: string) {
  const message = page.getByRole("listitem").filter({ has: page.getByText(text, { exact: true }) });
  await message.getByRole("button", { name: /^More for message/ }).click();
  await page.getByRole("link", { name: "Journey", exact: true }).click();
}

function detail(page: Page) {
  return page.getByRole("region", { name: "Journey", exact: true });
}

/** Edits a file and waits until the functions run it. */
async function edit(file: string, change: (text: string) => string) {
  const before = await reloadState();
  const text = readFileSync(file, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
  const isLive = async () => {
    const { state, revision } = await reloadState();
    return state === "live" && revision > before.revision;
  };
  await expect.poll(isLive).toBe(true);
}

async function reloadState() {
  const answer = await fetch(`${started?.url}api/reload`);
  return z.object({ state: z.string(), revision: z.number() }).parse(await answer.json());
}

/** Does what `npm start` does, and waits until the console's address is printed. */
async function start(): Promise<NonNullable<typeof started>> {
  const child = spawn(process.execPath, ["local/start.ts", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const text of lines) {
    const [url] = /http:\/\/\S+\/(?= {3})/.exec(text) ?? [];
    if (url !== undefined) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error("It ended before it told the console's address.");
}
