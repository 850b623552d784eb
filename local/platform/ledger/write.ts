import { writeFileSync } from "node:fs";
import process from "node:process";
import { renderMarkdown } from "./markdown.ts";
import { buildLedger } from "./rows.ts";

// `npx node local/platform/ledger/write.ts` writes docs/internals/fidelity.md.

const rows = buildLedger();
writeFileSync(new URL("../../../docs/internals/fidelity.md", import.meta.url), renderMarkdown(rows));
process.stdout.write(`docs/internals/fidelity.md has ${rows.length} rows.\n`);
