import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect } from "vitest";
import { isNight } from "./by-day.ts";

// The first opens a page three times as fast as the others.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Finds the machine's Chromium: CHROME_PATH, or the first of its usual names on the PATH. */
function findBrowser() {
  const { CHROME_PATH, PATH = "" } = process.env;
  const folders = PATH.split(delimiter);
  return (
    CHROME_PATH || names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  );
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executablePath = findBrowser();
const told =
  "There is no Chromium on this machine: what needs one is skipped. Install one, or name it with CHROME_PATH.";
if (executablePath === undefined) {
  if (process.env.REQUIRE_BROWSER === "1") throw new Error(told);
  process.stderr.write(`${told}\n`);
}

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether this machine has a browser. */
export const hasBrowser = executablePath !== undefined;

/** Like `describe`; skipped where there is no browser, unless REQUIRE_BROWSER=1. */
export const describeInBrowser = describe.skipIf(!hasBrowser);

export interface TestBrowser {
  /**
   * Opens a separate page, with a clipboard. Errors that it throws or logs to its console fail the test,
   * unless `expected` matches them.
   */
  open(url: string, options?: BrowserContextOptions & { expected?: RegExp }): Promise<Page>;
}

/** One browser for all files of a worker; it ends with the worker's process. */
let browser: Browser | undefined;

/** Returns the worker's browser, and closes each test's pages. */
export function useBrowser(): TestBrowser {
  let troubles: string[] = [];
  const contexts: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    if (executablePath !== undefined) browser ??= await chromium.launch({ executablePath, args: flags });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const seen = troubles;
    troubles = [];
    expect(seen).toEqual([]);
  });
  return {
    async open(url, { expected, ...options } = {}) {
      if (browser === undefined) throw new Error(told);
      const context = await browser.newContext({
        viewport: sizes.laptop,
        locale: "en-GB",
        timezoneId: "UTC",
        permissions: ["clipboard-read", "clipboard-write"],
        reducedMotion: "reduce",
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const note = (text: string) => {
        if (!expected?.test(text)) troubles.push(text);
      };
      page.on("pageerror", (error) => note(`${error.stack ?? error}`));
      page.on("console", (message) => {
        if (message.type() === "error") note(`${message.text()} (${message.location().url})`);
      });
      await page.goto(url);
      return page;
    },
  };
}

/** Asks for a whole name; otherwise a part of it is enough. */
export const exact = { exact: true };

/** Presses a button of a page, or of a part of it. */
export async function press(
  within: Page | Locator,
  name: string | RegExp,
  how?: typeof exact,
): Promise<void> {
  await within.getByRole("button", { name, ...how }).click();
}

/** Follows a link. */
export async function follow(
  within: Page | Locator,
  name: string | RegExp,
  how?: typeof exact,
): Promise<void> {
  await within.getByRole("link", { name, ...how }).click();
}

/** Waits until a text is shown. */
export async function expectText(within: Page | Locator, text: string | RegExp): Promise<void> {
  await expectShown(within.getByText(text));
}

/** Waits until something is shown. @throws Error that lists what is shown instead */
export async function expectShown(locator: Locator): Promise<void> {
  await expect(locator.waitFor({ state: "visible" })).resolves.toBeUndefined();
}

/** Half as long as `axe.source`: a page takes longer to load it than to be judged. */
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Checks what is shown by axe's rules for WCAG 2.2, levels A and AA: by day, each view once, in `frame`. */
export async function expectAccessible(page: Page, isJudged = isNight): Promise<void> {
  if (!isJudged) return;
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const violations: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] })
      .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html + " " + failureSummary) })))`,
  );
  expect(violations).toEqual([]);
}

/**
 * Checks a page in light and dark on a laptop and on a phone: nothing may overflow to the side. With
 * WRITE_SCREENSHOTS=1 it renews the pictures in docs/console, <name>-<look>.png.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, "../../docs/console");
  for (const [look, viewport, colorScheme] of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const sticksOut: unknown = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect({ look, sticksOut }).toEqual({ look, sticksOut: 0 });
    const path = join(folder, `${name}-${look}.png`);
    if (process.env.WRITE_SCREENSHOTS === "1" && existsSync(path)) await page.screenshot({ path });
  }
  await page.setViewportSize(sizes.laptop);
  await page.emulateMedia({ colorScheme: null });
}

const sizes = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const looks = [
  ["light", sizes.laptop, "light"],
  ["dark", sizes.laptop, "dark"],
  ["phone", sizes.phone, "light"],
] as const;
