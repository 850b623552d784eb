import { writeFileSync } from "node:fs";
import process from "node:process";
import { renderMarkdown } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

// Writes docs/internals/fidelity.md: `npx node local/platform/ledger/write.ts`.

const rows = buildLedger();
writeFileSync(new URL("../../../docs/internals/fidelity.md", import.meta.url), renderMarkdown(rows));
process.stdout.write(`docs/internals/fidelity.md has ${rows.length} rows.\n`);
