import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A page of the documentation. */
export interface Page {
  /** From the project's folder, as `docs/operate.md`. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
}

/** Reads the pages that may show commands. */
export function readCommandPages(): readonly Page[] {
  const files = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith(".md"));
  return ["README.md", ...files.toSorted()].map((file) => {
    const path = join(root, file);
    return { file, path, text: readFileSync(path, "utf8") };
  });
}
