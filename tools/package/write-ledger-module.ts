import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildLedger } from "../../local/platform/ledger/rows.ts";

/**
 * Writes the emulation's ledger into the module that gives it (local/platform/ledger/read-ledger.ts): it follows from sources
 * that the package does not have, and a bundle of the package has no files beside it.
 */
export function writeLedgerModule(dist: string): void {
  const rows = JSON.stringify(buildLedger());
  writeFileSync(
    join(dist, "local/platform/ledger/read-ledger.js"),
    `// What follows from the sources that this package was made of.\nexport function readLedger() {\n  return ${rows};\n}\n`,
  );
}
