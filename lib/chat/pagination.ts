import { isRecord } from "../json.ts";
/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The platform's `meta`, as it came. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Query fields that ask for the page after this one; undefined when there is none. */
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
 * Items whose `id` was on the page before are left out, so that an inclusive cursor yields nothing twice; a page that
 * repeats the one before ends the list, so that a platform which ignores the place asked for cannot loop us.
 */
export function paginate<Item>(
  fetchPage: (fields: Readonly<Record<string, unknown>>) => Promise<Page<Item>>,
): Paged<Item> {
  return {
    page: () => fetchPage({}),
    async *[Symbol.asyncIterator]() {
      let seen = new Set<unknown>();
      let before = "[]";
      let fields: Readonly<Record<string, unknown>> | undefined = {};
      while (fields) {
        const page: Page<Item> = await fetchPage(fields);
        const now = JSON.stringify(page.items);
        if (now === before) return;
        yield* page.items.filter((item) => !seen.has(idOf(item)));
        seen = new Set(page.items.map(idOf).filter((id) => id !== undefined));
        before = now;
        fields = page.next;
      }
    },
  };
}

/**
 * Decides what to ask for after a page (pure). Pages go on until `total_pages`, or without that number until an empty
 * page; cursors until the platform names no next one or the same again: what `meta.next` holds on the last page is not
 * documented, so an empty page ends the list. See docs/platform/answers-and-errors.md#lists-by-cursor.
 */
export function nextPage(
  style: PagingStyle,
  asked: Readonly<Record<string, unknown>>,
  answer: ListAnswer,
): Page<unknown>["next"] {
  if (style === "once" || answer.count === 0) return undefined;
  const cursor =
    style === "cursor" ? (recordOf(answer.meta.next) ?? recordOf(answer.meta.cursor)) : undefined;
  if (cursor) return nextByCursor(asked, cursor, answer.cursor ?? namesOf(cursor));
  const pagination = recordOf(answer.meta.pagination);
  if (style === "cursor" && !pagination) return undefined;
  const current = Number(pagination?.current_page ?? asked.page ?? 1);
  const hasMore = pagination?.total_pages === undefined || current < Number(pagination.total_pages);
  return hasMore ? { ...asked, page: current + 1 } : undefined;
}

/** What an answer tells about a list's course. */
export interface ListAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  /** Items on the page. */
  readonly count: number;
  /** Which fields of the cursor go into which query fields; all, under their own names, when absent. */
  readonly cursor?: Readonly<Record<string, string>> | undefined;
}

function nextByCursor(
  asked: Readonly<Record<string, unknown>>,
  cursor: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Page<unknown>["next"] {
  const fields = Object.entries(names)
    .map(([from, to]) => [to, cursor[from]] as const)
    .filter(([, value]) => value !== undefined);
  const moves = fields.some(([name, value]) => asked[name] !== value);
  return moves ? { ...asked, ...Object.fromEntries(fields) } : undefined;
}

function idOf(item: unknown): unknown {
  return isRecord(item) ? item.id : undefined;
}

function namesOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, name]));
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}
