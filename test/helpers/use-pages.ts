import type { BrowserContextOptions, Page } from "playwright-core";
import type { WorldOptions } from "../../local/stack/world.ts";
import { expectAccessible, expectGoodLooks, useBrowser } from "./browser.ts";
import { type ConsoleUnderTest, useConsole } from "./use-console.ts";

export interface ConsolePages extends ConsoleUnderTest {
  /** Opens an address of the page, such as `#/log`. Errors of its console fail the test, unless `expected`. */
  open(hash: string, options?: BrowserContextOptions & { expected?: RegExp }): Promise<Page>;
  /** Posts JSON. @returns the answer's body */
  post(path: string, body: unknown, uid?: string): Promise<unknown>;
}

/** A console for the tests of a file, and a browser for its page. */
export function usePages(options?: WorldOptions): ConsolePages {
  const tested = useConsole(options);
  const browser = useBrowser();
  return {
    get world() {
      return tested.world;
    },
    at: tested.at,
    ask: tested.ask,
    open: (hash, more) => browser.open(tested.at(`/${hash}`), more),
    async post(path, body, uid) {
      const headers = { "content-type": "application/json", ...(uid !== undefined && { onBehalfOf: uid }) };
      return (await tested.ask(path, { method: "POST", headers, body: JSON.stringify(body) })).body;
    },
  };
}

/** Judges a page by axe, and by its looks (`expectGoodLooks`). */
export async function expectGood(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectGoodLooks(page, name);
}

/** What was copied last. */
export async function copied(page: Page): Promise<string> {
  return String(await page.evaluate("navigator.clipboard.readText()"));
}
