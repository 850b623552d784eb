import type { Rows } from "./api/rows.ts";

export function pageOf<One, Row>(
  all: readonly One[],
  page = 1,
  perPage: number,
  toRow: (one: One) => Row,
): Rows<Row> {
  const last = Math.ceil(all.length / perPage);
  const first = (Math.max(1, Math.min(page, last)) - 1) * perPage;
  const rows = all.slice(first, first + perPage).map((one) => toRow(one));
  return { rows, total: all.length, perPage };
}

export function namesOf(all: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(all.flatMap((name) => name || []))].toSorted();
}

export function countNames<Name extends string>(
  all: readonly Name[],
): Readonly<Partial<Record<Name, number>>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const name of all) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
