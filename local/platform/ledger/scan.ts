import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
