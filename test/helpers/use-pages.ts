import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { LocalStackOptions } from "../../local/stack/local-stack.ts";
import { expectAccessible, expectGoodLooks, useBrowser } from "./browser.ts";
import { type ConsoleUnderTest, useConsole } from "./use-console.ts";

export interface ConsolePages extends ConsoleUnderTest {
  /** Opens an address of the page, such as `#/log`. Errors in its console fail the test unless `expected`. */
  open(hash: string, options?: BrowserContextOptions & { expected?: RegExp }): Promise<Page>;
  /** Posts JSON. @returns the answer's body */
  post(path: string, body: unknown, uid?: string): Promise<unknown>;
  /** A user writes to another. @returns the message's id */
  say(from: string, to: string, text: string): Promise<string>;
}

/** A console for the tests of a file, and a browser for its page. */
export function usePages(options?: LocalStackOptions): ConsolePages {
  const tested = useConsole(options);
  const browser = useBrowser();
  const post = async (path: string, body: unknown, uid?: string) => {
    const headers = { "content-type": "application/json", ...(uid !== undefined && { onBehalfOf: uid }) };
    const answer = await tested.ask(path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  return {
    get world() {
      return tested.world;
    },
    at: tested.at,
    ask: tested.ask,
    send: tested.send,
    answer: tested.answer,
    open: (hash, more) => browser.open(tested.at(`/${hash}`), more),
    post,
    async say(from, to, text) {
      const body = { receiver: to, receiverType: "user", type: "text", data: { text } };
      return String(Object(await post("/api/chat/local-app/messages", body, from)).data.id);
    },
  };
}

/** Checks a page by axe, and its looks (`expectGoodLooks`). */
export async function expectGood(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectGoodLooks(page, name);
}

/** The clipboard's last text. */
export async function copied(page: Page): Promise<string> {
  return String(await page.evaluate("navigator.clipboard.readText()"));
}
