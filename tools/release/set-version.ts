import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** With the text before and after the version. */
const places = [
  { file: "package.json", before: '"version": "', after: '"', most: 1 },
  { file: "package-lock.json", before: '"version": "', after: '"', most: 2 },
  { file: "lib/base/version.ts", before: 'version = "', after: '"', most: 1 },
  { file: "package/create/package.json", before: '"version": "', after: '"', most: 1 },
  // It creates apps with the same release.
  { file: "package/create/package.json", before: '"cometchat-functions": "^', after: '"', most: 1 },
] as const;

/** @throws Error that names a file without the old version; then nothing is written */
export function setVersion(root: string, from: string, to: string): void {
  const written = new Map<string, string>();
  for (const { file, before, after, most } of places) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    const old = `${before}${from}${after}`;
    let text = written.get(path) ?? readFileSync(path, "utf8");
    if (!text.includes(old)) throw new Error(`${file} does not contain the version ${from}.`);
    for (let count = 0; count < most; count += 1) text = text.replace(old, `${before}${to}${after}`);
    written.set(path, text);
  }
  for (const [path, text] of written) writeFileSync(path, text);
}
