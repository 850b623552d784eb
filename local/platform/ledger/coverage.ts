import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoveringTest } from "./markdown.ts";

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

/** An operation whose answer has other keys or types than the printed example, why, and in what it differs. */
export type DifferingAnswer = { id: string; reason: string; differences: readonly string[] };

/** Reads the list of answers that differ. @throws Error naming a line that is not of its form */
export function readDiffering(): DifferingAnswer[] {
  const rows: { id: string; reason: string; differences: string[] }[] = [];
  let reason = "";
  for (const line of readFileSync(new URL("differing.txt", import.meta.url), "utf8").split("\n")) {
    const [, indent = "", text = ""] = /^( *)(.*)$/.exec(line) ?? [];
    if (text === "" || text.startsWith("#")) continue;
    if (indent === "") reason = text;
    else if (indent.length === 2) rows.push({ id: text, reason, differences: [] });
    else {
      const row = rows.at(-1);
      if (row === undefined)
        throw new Error(`The list of differing answers has a line of no operation: ${line}`);
      row.differences.push(text);
    }
  }
  return rows;
}

/** One operation the platform is known to have. `missing` says why the emulation does not have it. */
type KnownOperation = {
  surface: string;
  method: string;
  path: string;
  operationId: string;
  missing: string | undefined;
};

/** Reads the list of known operations. @throws Error naming a line that is not of its form */
export function readOperations(): KnownOperation[] {
  return readFileSync(new URL("operations.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(toOperation);
}

function toOperation(line: string): KnownOperation {
  const match = /^(\w+) ([A-Z]+) (\/\S*) (\S+)(?: - (.+))?$/.exec(line);
  const [, surface, method, path, operationId, missing] = match ?? [];
  if (surface === undefined || method === undefined || path === undefined || operationId === undefined) {
    throw new Error(`The list of operations has a line that is none: ${line}`);
  }
  return { surface, method, path, operationId, missing };
}

/** One file, by its path from the project's root. */
export type SourceFile = { path: string; text: string };

/** Reads the sources of the emulation, without the ledger and the tables that only name things. */
export function readSources(): SourceFile[] {
  return readFolder("local/platform").filter(
    ({ path }) => !path.startsWith("local/platform/ledger/") && !tables.includes(path),
  );
}

/** Finds the files that hold a word in quotes (of any kind) or between backticks. */
export function filesNaming(files: readonly SourceFile[], word: string): string[] {
  const pattern = new RegExp(`["'\`]${word}["'\`]`);
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

function readFolder(folder: string): SourceFile[] {
  const at = join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, "utf8") }));
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const tables = ["local/platform/errors/error-table.ts", "local/platform/webhooks/trigger-table.ts"];
