import type { LedgerRow } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

/**
 * The package has the rows written into this module (tools/package/build-package.ts), because their
 * sources and lists stay in the repository.
 */
export function readLedger(): readonly LedgerRow[] {
  return buildLedger();
}
