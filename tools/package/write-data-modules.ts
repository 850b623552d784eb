import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedInputs } from "../../local/platform/catalogue/inputs.ts";
import { allOperations } from "../../local/platform/catalogue/operations.ts";
import { buildLedger } from "../../local/platform/ledger/rows.ts";

/** A bundle has no other files, and the package lacks the sources that the ledger derives from. */
export function writeDataModules(dist: string): void {
  write(join(dist, "local/platform/ledger/read-ledger.js"), "readLedger", buildLedger());
  write(join(dist, "local/platform/catalogue/inputs.js"), "documentedInputs", documentedInputs());
  write(join(dist, "local/platform/catalogue/operations.js"), "allOperations", allOperations());
}

function write(file: string, name: string, rows: unknown): void {
  writeFileSync(
    file,
    `// What follows from the files that this package was made of.\nexport function ${name}() {\n  return ${JSON.stringify(rows)};\n}\n`,
  );
}
