/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The platform's `meta`, as it came. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Query fields that ask for the page after this one; undefined when the platform says there is none. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
}

/** A list: `for await` yields every item over all pages, `.page()` fetches one page. Nothing is fetched before either. */
export interface Paged<Item> extends AsyncIterable<Item> {
  /** Fetches one page: the first, or the one the input names. */
  page(): Promise<Page<Item>>;
}

/** How a list goes on: by page number, by cursor, or not at all. */
export type PagingStyle = "page" | "cursor" | "once";

/**
 * Makes a list out of a function that fetches one page for given query fields.
 * Items whose `id` was on the page before are left out, so that an inclusive cursor yields nothing twice.
 */
export function paginate<Item>(
  fetchPage: (fields: Readonly<Record<string, unknown>>) => Promise<Page<Item>>,
): Paged<Item> {
  return {
    page: () => fetchPage({}),
    async *[Symbol.asyncIterator]() {
      let before = new Set<unknown>();
      let fields: Readonly<Record<string, unknown>> | undefined = {};
      while (fields) {
        const page: Page<Item> = await fetchPage(fields);
        const fresh = page.items.filter((item) => !before.has(idOf(item)));
        if (fresh.length === 0) return;
        yield* fresh;
        before = new Set(page.items.map(idOf).filter((id) => id !== undefined));
        fields = page.next;
      }
    },
  };
}

/**
 * Decides what to ask for after a page (pure). Pages go on until `total_pages`; cursors until the platform names no next
 * one or repeats itself: what `meta.next` holds on the last page is not documented, so an empty page ends the list.
 * Platform facts: chat-api §3.
 */
export function nextPage(
  style: PagingStyle,
  asked: Readonly<Record<string, unknown>>,
  answer: ListAnswer,
): Page<unknown>["next"] {
  if (style === "once" || answer.count === 0) return undefined;
  const cursor =
    recordOf(answer.meta.next) ?? (style === "cursor" ? recordOf(answer.meta.cursor) : undefined);
  if (cursor) {
    const fields = Object.entries(cursor).map(
      ([name, value]) => [answer.cursorNames?.[name] ?? name, value] as const,
    );
    const moves = fields.some(([name, value]) => asked[name] !== value);
    return moves ? { ...asked, ...Object.fromEntries(fields) } : undefined;
  }
  const pagination = recordOf(answer.meta.pagination);
  const current = Number(pagination?.current_page ?? asked.page ?? 1);
  const total = Number(pagination?.total_pages ?? 0);
  return current < total ? { ...asked, page: current + 1 } : undefined;
}

/** What an answer tells about a list's course. */
export interface ListAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  /** Items on the page. */
  readonly count: number;
  /** What the query calls fields of the cursor, where the names differ. */
  readonly cursorNames?: Readonly<Record<string, string>> | undefined;
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
