import { badRequest } from "../errors/failures.ts";
import type { JsonObject } from "../json.ts";
import type { Query } from "./query.ts";

/** A page asked for: `limit` rows after `offset`. */
export type Page = { page: number; perPage: number; limit: number; offset: number };

/**
 * Reads `page` (from 1) and `perPage` (default 100, at most 1000).
 * @throws PlatformError ERR_BAD_REQUEST outside those bounds
 * @see docs/platform/answers-and-errors.md#lists-by-page
 */
export function readPage(query: Query, defaultPerPage = 100): Page {
  const page = query.integer("page") ?? 1;
  const perPage = query.integer("perPage") ?? defaultPerPage;
  if (page < 1) throw badRequest({ page: "The page must be at least 1." });
  if (perPage < 1 || perPage > 1_000)
    throw badRequest({ perPage: "The perPage must be between 1 and 1000." });
  return { page, perPage, limit: perPage, offset: (page - 1) * perPage };
}

/** Gives `meta.pagination` for a page. `total` counts all matches, `count` those on this page. */
export function pageMeta(page: Page, total: number, count: number): JsonObject {
  return {
    pagination: {
      total,
      count,
      per_page: page.perPage,
      current_page: page.page,
      total_pages: Math.max(1, Math.ceil(total / page.perPage)),
    },
  };
}

/** Cuts one page out of a small list that is held whole. */
export function pageOf<T>(items: T[], page: Page): T[] {
  return items.slice(page.offset, page.offset + page.limit);
}
