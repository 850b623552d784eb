import type { ChatResponse } from "./chat-request.ts";

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The platform's `meta`, unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Query fields of the next page; undefined after the last page. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
  /** Status, headers and request id of this page's answer. */
  readonly response: ChatResponse;
}

/**
 * A list. `for await` yields every item of all pages, `.page()` fetches one page, `.toArray()` as many as
 * needed. Nothing is fetched before. All may be repeated, and throw InvalidInputError, ChatApiError and
 * ChatUnreachableError like requests.
 */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Fetches one page: the first, or the one in the input. */
  page(): Promise<Page<Item>>;
  /**
   * Returns the first `limit` items and fetches no further page. A small limit also makes the page small.
   * @param options `limit`: a whole number, or Infinity for all. Required, because a list may have millions.
   * @throws InvalidInputError without a limit
   * @example const newest = await chat.users.list().toArray({ limit: 20 });
   */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}
