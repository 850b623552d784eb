import type { LedgerRow } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

let rows: readonly LedgerRow[] | undefined;

/** Reads once. The package has the rows here (tools/package/build-package.ts), without sources and lists. */
export function readLedger(): readonly LedgerRow[] {
  rows ??= buildLedger();
  return rows;
}
