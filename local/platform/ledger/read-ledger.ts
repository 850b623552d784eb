import type { LedgerRow } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

let rows: readonly LedgerRow[] | undefined;

/**
 * Reads the ledger once. The package has the rows here (tools/package/build-package.ts): sources and lists
 * stay in the repository.
 */
export function readLedger(): readonly LedgerRow[] {
  rows ??= buildLedger();
  return rows;
}
