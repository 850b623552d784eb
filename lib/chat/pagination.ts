import { isRecord } from "../base/json.ts";
import { readPlainly } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import type { Page, Paged } from "./paged.ts";

type PagingStyle = "page" | "cursor" | "once";

/**
 * Skips items of the previous page (by `id`, or equal), because a cursor may be inclusive. A repeated page or
 * position ends it: there is no endless loop.
 * @param order throws before any request if the list has none
 */
export function paginate<Item>(
  operation: string,
  fetchPage: (fields: PageFields) => Promise<Page<Item>>,
  smaller: (limit: number) => PageFields,
  order: () => (items: readonly Item[]) => readonly Item[],
): Paged<Item> {
  async function* items(first: PageFields): AsyncGenerator<Item, void, undefined> {
    let seen = new Set<unknown>();
    let before = "[]";
    const asked = new Set<string>();
    let fields: PageFields | undefined = first;
    const arrange = order();
    while (fields) {
      const place = JSON.stringify(fields);
      if (asked.has(place)) return;
      asked.add(place);
      const page: Page<Item> = await fetchPage(fields);
      const now = JSON.stringify(page.items);
      if (now === before) return;
      yield* arrange(page.items).filter((item) => !seen.has(keyOf(item)));
      seen = new Set(page.items.map(keyOf));
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

export type PageFields = Readonly<Record<string, unknown>>;

function readLimit(operation: string, options: unknown) {
  const limit = readPlainly(operation, "limit", () => (isRecord(options) ? options.limit : undefined));
  if (typeof limit === "number" && limit >= 0 && (Number.isInteger(limit) || limit === Infinity))
    return limit;
  const rule = "a whole number, or Infinity for all: toArray({ limit: 100 })";
  throw new InvalidInputError(operation, "limit", rule, limit === undefined);
}

/**
 * Continues pages until `total_pages` or, without it, an empty page; cursors until the platform names no next
 * one or the same. The last page's `meta.next` is not documented, so an empty page ends the list.
 * @see docs/internals/platform/answers-and-errors.md#lists-by-cursor
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
  const last = pagination?.total_pages ?? recordOf(answer.meta.sourceDetails)?.totalPages;
  const hasMore = last === undefined || current < Number(last);
  return hasMore ? { ...asked, page: current + 1 } : undefined;
}

interface ListAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly count: number;
  /** Maps to query fields. Absent: all, under their own names. */
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

function keyOf(item: unknown): unknown {
  return idOf(item) ?? JSON.stringify(item);
}

export function idOf(item: unknown): unknown {
  return isRecord(item) ? item.id : undefined;
}

function namesOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, name]));
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}
