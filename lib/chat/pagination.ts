import { isRecord } from "../base/json.ts";
import { InvalidInputError } from "./errors.ts";
import type { Page, Paged } from "./paged.ts";
import { readPlainly } from "./read-plainly.ts";

/** How a list goes on: by page number, by cursor, or not at all. */
export type PagingStyle = "page" | "cursor" | "once";

/**
 * Makes a list out of a function that fetches one page for given query fields.
 * Items whose `id` was on the page before are left out, so that an inclusive cursor yields nothing twice; a page that
 * repeats the one before ends the list, and so does a place that was asked for already: no platform can loop us.
 */
export function paginate<Item>(
  operation: string,
  fetchPage: (fields: PageFields) => Promise<Page<Item>>,
  smaller: (limit: number) => PageFields,
): Paged<Item> {
  async function* items(first: PageFields): AsyncGenerator<Item, void, undefined> {
    let seen = new Set<unknown>();
    let before = "[]";
    const asked = new Set<string>();
    let fields: PageFields | undefined = first;
    while (fields) {
      const place = JSON.stringify(fields);
      if (asked.has(place)) return;
      asked.add(place);
      const page: Page<Item> = await fetchPage(fields);
      const now = JSON.stringify(page.items);
      if (now === before) return;
      yield* page.items.filter((item) => !seen.has(idOf(item)));
      seen = new Set(page.items.map(idOf).filter((id) => id !== undefined));
      before = now;
      fields = page.next;
    }
  }

  return {
    page: () => fetchPage({}),
    async toArray(options?: { readonly limit?: unknown }) {
      const limit = readLimit(operation, options);
      const first: Item[] = [];
      if (limit === 0) return first;
      for await (const item of items(smaller(limit))) if (first.push(item) >= limit) break;
      return first;
    },
    [Symbol.asyncIterator]: () => items({}),
  };
}

/** Query fields that say which page is meant. */
export type PageFields = Readonly<Record<string, unknown>>;

function readLimit(operation: string, options: unknown): number {
  const limit = readPlainly(operation, "limit", () => (isRecord(options) ? options.limit : undefined));
  if (typeof limit === "number" && limit >= 0 && (Number.isInteger(limit) || limit === Infinity))
    return limit;
  const rule = "a whole number, or Infinity for all: toArray({ limit: 100 })";
  throw new InvalidInputError(operation, "limit", rule, limit === undefined);
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
