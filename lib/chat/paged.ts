import type { ChatResponse } from "./chat-request.ts";

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The platform's `meta`, as it came. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Query fields that ask for the page after this one; undefined when there is none. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
  /** Status, headers and request id of the answer that this page is. */
  readonly response: ChatResponse;
}

/**
 * A list: `for await` yields every item over all pages, `.page()` fetches one page, `.toArray()` as many as are needed.
 * Nothing is fetched before one of them. All may be repeated, and throw InvalidInputError, ChatApiError and ChatUnreachableError as
 * requests do.
 */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Fetches one page: the first, or the one the input names. */
  page(): Promise<Page<Item>>;
  /**
   * Gives the first so many items, and fetches no further page once it has them; a small number makes the page small, too.
   * @param options `limit`: a whole number, or Infinity for all there are. It must be given, because a list may have millions.
   * @throws InvalidInputError without a limit
   * @example const newest = await chat.users.list().toArray({ limit: 20 });
   */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}
