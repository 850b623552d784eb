import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes files, by path, and their folders. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
