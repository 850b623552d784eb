import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildLedger } from "../../local/platform/ledger/rows.ts";

/**
 * For local/platform/ledger/read-ledger.ts: the ledger derives from sources that the package lacks, and a
 * bundle has no other files.
 */
export function writeLedgerModule(dist: string): void {
  const rows = JSON.stringify(buildLedger());
  writeFileSync(
    join(dist, "local/platform/ledger/read-ledger.js"),
    `// What follows from the sources that this package was made of.\nexport function readLedger() {\n  return ${rows};\n}\n`,
  );
}
