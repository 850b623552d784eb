import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { comparisonTable } from "./comparison-table.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "internals", "comparison.md");

/** Returns docs/internals/comparison.md as it is. */
export function readComparison(): string {
  return readFileSync(page, "utf8");
}

/** Returns docs/internals/comparison.md with the table that is measured now. */
export async function renewComparison(): Promise<string> {
  const table = await comparisonTable();
  return readComparison().replace(
    /(<!-- measured -->\n)[\s\S]*?(\n<!-- end -->)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n${end}`,
  );
}

/** Writes the table that is measured now to docs/internals/comparison.md. */
export async function writeComparison(): Promise<void> {
  writeFileSync(page, await renewComparison());
}
