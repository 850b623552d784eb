import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** What the bundler takes for a function's file, in its order. */
const extensions = [".ts", ".js", ".jsx", ".tsx"];

/**
 * Says what is wrong with a handler such as `functions/own/notify.handler`, if anything is: a file that is not there, or one that
 * exports no such name, which a build would not notice. Where a file exports all that another one does, it is believed.
 */
export function findHandler(projectFolder: string, handler: string): string | undefined {
  const name = extname(handler);
  const path = handler.slice(0, handler.length - name.length);
  if (name.length < 2)
    return `the handler "${handler}" names no export of its file, as in: ${handler}.handler`;
  const places = extensions.flatMap((extension) => [`${path}${extension}`, `${path}/index${extension}`]);
  const found = places.find((place) => existsSync(join(projectFolder, place)));
  if (found === undefined) return `there is no ${path}.ts, which its handler "${handler}" is in`;
  // Only lines that are all comment are left out: what begins one may stand in a text, as in "*/*".
  const source = readFileSync(join(projectFolder, found), "utf8").replace(/^\s*\/\/.*$/gm, "");
  // Whether it is exported the compiler knows; a name that stands nowhere behind the word cannot be.
  const isNamed = source
    .split(/\bexports?\b/)
    .slice(1)
    .join(" ")
    .split(/[^\w$]+/)
    .includes(name.slice(1));
  if (isNamed || /\bexport\s*\*/.test(source)) return undefined;
  return `${found} exports no "${name.slice(1)}", which its handler "${handler}" names`;
}
