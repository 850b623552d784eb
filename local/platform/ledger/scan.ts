import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject } from "../json.ts";

/** One file, by its path from the project's root. */
export type SourceFile = { path: string; text: string };

/** Reads the sources of the emulation, without the ledger and the tables that only name things. */
export function readSources(): SourceFile[] {
  return readFolder("local/platform").filter(
    ({ path }) => !path.startsWith("local/platform/ledger/") && !tables.includes(path),
  );
}

/** Reads the tests that prove the emulation; none where only the emulation itself was installed. */
export function readTests(): SourceFile[] {
  return ["test/platform", "test/contract"]
    .flatMap(readFolder)
    .filter(({ path }) => path.endsWith(".test.ts") && path !== "test/platform/reference.test.ts");
}

/** Names the test that calls every operation of its list through the project's client. */
export const contractTest = "test/contract/operations.test.ts";

/** Reads the operation ids of the contract test's list. */
export function readContractOperations(): ReadonlySet<string> {
  const at = join(root, "test/contract/operations.json");
  if (!existsSync(at) || !existsSync(join(root, contractTest))) return new Set();
  const list: unknown = JSON.parse(readFileSync(at, "utf8"));
  return new Set(Array.isArray(list) ? list.filter(isJsonObject).map(({ id }) => String(id)) : []);
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
