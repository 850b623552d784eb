import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * Writes source files as the project's formatter does, imports in order; each name stands for a file of one folder.
 * @throws Error where a file cannot be read as source
 */
export function formatFiles(root: string, files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "client-types-"));
  try {
    const { formatter } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    const rules = { formatter, linter: { enabled: false } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify(rules));
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    execFileSync(process.execPath, [biome, "check", "--write", "."], { cwd: folder, stdio: "pipe" });
    return new Map([...files.keys()].map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
