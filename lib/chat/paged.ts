import type { ChatResponse } from "./chat-request.ts";

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The answer's `meta`, unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The next page's query fields; undefined after the last page. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
  /** The response with this page. */
  readonly response: ChatResponse;
}

/**
 * A list: `for await` yields every item, `.page()` fetches one page, `.toArray()` as many as needed; nothing
 * is fetched before. A list read backwards (`affix: "prepend"`) is newest first, except `.page()`, which
 * has the platform's order; lists without such an order refuse it. All may be repeated, and throw
 * InvalidInputError, ChatApiError and ChatUnreachableError.
 */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Fetches the first page, or the one in the input. */
  page(): Promise<Page<Item>>;
  /**
   * Returns the first `limit` items and fetches no further page.
   * @param options `limit`: a whole number, or Infinity. Required, because a list may have millions.
   * @throws InvalidInputError without a limit
   * @example const newest = await chat.users.list().toArray({ limit: 20 });
   */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}
