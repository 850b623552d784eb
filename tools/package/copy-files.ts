import { copyFileSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

const copied = [
  "{build,cli,config,functions,lib,local}/**/*.{mjs,yml,json,txt,css,svg,md}",
  "infrastructure/**/*.{json,yml}",
  "docs/{,recipes,internals,internals/platform}/*.md",
  "docs/*.svg",
  "serverless.yml",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "SECURITY.md",
];
const leftOut = [
  "**/*.biome.json",
  // Become modules (build-package.ts), except the operations.
  "local/platform/{catalogue,ledger}/!(operations).{json,md,txt}",
  // Shipped built (write-console-page.ts).
  "local/console/page/**",
];

export function copyFiles(root: string, dist: string): void {
  for (const file of globSync(copied, { cwd: root, exclude: leftOut })) {
    const from = join(root, file);
    if (!statSync(from).isFile()) continue;
    const to = join(dist, file);
    mkdirSync(dirname(to), { recursive: true });
    if (extname(file) === ".mjs") writeFileSync(to, nameCompiledFiles(readFileSync(from, "utf8")));
    else if (extname(file) === ".md") writeFileSync(to, dropScreenshots(readFileSync(from, "utf8")));
    else copyFileSync(from, to);
  }
  for (const file of globSync("{build,cli,local}/**/*.js", { cwd: dist })) {
    const path = join(dist, file);
    const text = readFileSync(path, "utf8");
    const named = nameCompiledFiles(text);
    if (named !== text) writeFileSync(path, named);
  }
}

/** Drops pictures, larger than the whole package. */
function dropScreenshots(page: string) {
  return page.replace(/^!\[[^\]]*\]\((?!https?:)[^)]+\.png\)\n\n?/gm, "");
}

/**
 * Renames what the compiler keeps: a module's address (`new URL("./bundler-thread.ts", import.meta.url)`) and
 * JavaScript modules.
 */
function nameCompiledFiles(text: string) {
  return text
    .replace(/(from\s+|import\(\s*|import\s+)"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"')
    .replace(
      /new URL\("((?:\.{1,2}\/)?[^"]+)\.ts", import\.meta\.url\)/g,
      'new URL("$1.js", import.meta.url)',
    );
}
