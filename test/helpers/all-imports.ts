import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lists the imports of files as written, and those of the imported files. */
export function allImports(files: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const imported = (file: string): readonly string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    const from = [...readFileSync(file, "utf8").matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name);
    const below = from.filter((name) => name.startsWith(".")).map((name) => join(dirname(file), name));
    return [...from, ...below.flatMap(imported)];
  };
  return files.flatMap(imported);
}
