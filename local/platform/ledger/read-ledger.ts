import type { LedgerRow } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

/**
 * Returns the ledger, for who looks at it. The package has its rows written down in this module's place
 * (tools/package/write-ledger-module.ts): the sources and lists that they follow from stay in the repository.
 */
export function readLedger(): readonly LedgerRow[] {
  return buildLedger();
}
