import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Keeps only declarations that the entry points import, and leads the pages that they cite to the package. */
export function pruneDeclarations(dist: string): void {
  const kept = new Set(globSync("package/*.d.ts", { cwd: dist }));
  for (const file of kept) {
    const text = readFileSync(join(dist, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g))
      kept.add(`${join(dirname(file), path)}.d.ts`);
    writeFileSync(join(dist, file), addReferences(leadToDocs(text)));
  }
  for (const file of globSync("**/*.d.ts", { cwd: dist })) if (!kept.has(file)) rmSync(join(dist, file));
}

/** In backticks, because TypeScript reads the first word after a tag such as `@see` as a name. */
function leadToDocs(declarations: string): string {
  const cited = /(?<![\w/.`"'])(docs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?)(?![`"'])/g;
  return declarations.replace(cited, "`cometchat-functions/$1`");
}

/** Not every project has these types. */
function addReferences(text: string): string {
  const disposable = /\b(?:Async)?Disposable\b/.test(text)
    ? '/// <reference lib="esnext.disposable" />\n'
    : "";
  const node = /from "node:|\bBuffer\b|\bNodeJS\./.test(text) ? '/// <reference types="node" />\n' : "";
  return `${disposable}${node}${text}`;
}
