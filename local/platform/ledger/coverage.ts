import { existsSync, readFileSync } from "node:fs";
import type { CoveringTest } from "./ledger-row.ts";

/** Says which test makes the platform do a thing. `id` is a kind and a name, e.g. `route chat send-message`. */
export type CoverageRow = CoveringTest & { id: string };

/** Reads the table of coverage and gives what finds the test of an id in it. */
export function findCoveringTest(): (id: string) => CoveringTest | undefined {
  const byId = new Map(readCoverage().map(({ id, file, test }) => [id, { file, test }]));
  return (id) => byId.get(id);
}

/**
 * Reads the table of what is tested where: the file of tests, below it each test, below that what it does.
 * @throws Error naming a line that is not of its form
 */
export function readCoverage(): CoverageRow[] {
  const at = new URL("coverage.txt", import.meta.url);
  if (!existsSync(at)) return [];
  const rows: CoverageRow[] = [];
  let file: string | undefined;
  let test: string | undefined;
  for (const line of readFileSync(at, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, indent = "", text = ""] = /^((?: {2}){0,2})(\S.*)$/.exec(line) ?? [];
    if (text === "") throw new Error(`The table of coverage has a line that is none: ${line}`);
    if (indent.length === 0) file = text;
    else if (indent.length === 2) test = text;
    else if (file === undefined || test === undefined)
      throw new Error(`No test stands above the line: ${line}`);
    else rows.push({ id: text, file, test });
  }
  return rows;
}
