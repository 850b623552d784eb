import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { entryOf } from "./bundle-functions.ts";

/** Returns the missing file or export, which a build would not notice. `export *` counts as any name. */
export function findHandler(projectFolder: string, handler: string): string | undefined {
  const name = extname(handler);
  const path = handler.slice(0, handler.length - name.length);
  if (name.length < 2)
    return `the handler "${handler}" names no export of its file, as in: ${handler}.handler`;
  const found = entryOf(projectFolder, handler);
  if (found === undefined) return `there is no ${path}.ts, which its handler "${handler}" is in`;
  // Removes whole-line comments only: a text may contain "*/*".
  const source = readFileSync(join(projectFolder, found), "utf8").replace(/^\s*\/\/.*$/gm, "");
  // Only the compiler knows the exports; a name that never follows the word cannot be one.
  const isNamed = source
    .split(/\bexports?\b/)
    .slice(1)
    .join(" ")
    .split(/[^\w$]+/)
    .includes(name.slice(1));
  if (isNamed || /\bexport\s*\*/.test(source)) return undefined;
  return `${found} exports no "${name.slice(1)}", which its handler "${handler}" names`;
}
