import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Digests names and contents, in 16 hexadecimal digits. */
export function digestOfFiles(patterns: readonly string[], ...others: readonly string[]): string {
  const root = join(import.meta.dirname, "..");
  const digest = createHash("sha256").update(JSON.stringify(others));
  for (const file of globSync(patterns, { cwd: root, exclude: ["**/node_modules"] }).toSorted()) {
    if (!statSync(join(root, file)).isFile()) continue;
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return digest.digest("hex").slice(0, 16);
}
