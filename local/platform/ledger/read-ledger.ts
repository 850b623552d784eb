import type { LedgerRow } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

let rows: readonly LedgerRow[] | undefined;

/**
 * Reads the ledger once: it depends only on the source. The package has the rows in this module
 * (tools/package/build-package.ts), because their sources and lists stay in the repository.
 */
export function readLedger(): readonly LedgerRow[] {
  rows ??= buildLedger();
  return rows;
}
