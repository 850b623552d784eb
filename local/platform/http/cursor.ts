import { badRequest } from "../errors/failures.ts";
import type { JsonObject } from "../json.ts";
import type { Query } from "./query.ts";

/** Where to go on in a list: after (`append`) or before (`prepend`) a position. */
export type Cursor = { affix: "append" | "prepend"; limit: number; id: string | undefined };

/**
 * Reads `affix`, `id` and `limit`. Without `affix` it is `append`: not documented, the examples' `meta.next` says so.
 * @throws PlatformError ERR_BAD_REQUEST for another affix or a limit outside 1 to 1000
 * @see docs/platform/answers-and-errors.md#lists-by-cursor
 */
export function readCursor(query: Query, defaultLimit: number): Cursor {
  const affix = query.text("affix") ?? "append";
  if (affix !== "append" && affix !== "prepend") {
    throw badRequest({ affix: "The affix must be append or prepend." });
  }
  const limit = query.integer("limit") ?? defaultLimit;
  if (limit < 1 || limit > 1_000) throw badRequest({ limit: "The limit must be between 1 and 1000." });
  return { affix, limit, id: query.text("id") };
}

/**
 * Gives `meta.current` and, while there are items, `meta.next` pointing at the last one in reading direction.
 * What `next` holds on the last page is not documented; an empty page has none here (assumed).
 */
export function cursorMeta(cursor: Cursor, items: readonly { id: string; sentAt: number }[]): JsonObject {
  const edge = cursor.affix === "append" ? items.at(-1) : items.at(0);
  return {
    current: { limit: cursor.limit, count: items.length },
    ...(edge === undefined ? {} : { next: { affix: cursor.affix, sentAt: edge.sentAt, id: edge.id } }),
  };
}

/** Gives `meta` of the lists that take only a limit (moderation). */
export function limitMeta(limit: number, count: number): JsonObject {
  return { current: { limit, count } };
}
