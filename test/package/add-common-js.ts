import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the CommonJS module that makes the same calls as an ES module beside it. */
export function addCommonJs(folder: string): void {
  for (const [from, to] of [
    ["main.mjs", "main.cjs"],
    ["esm.mts", "commonjs.cts"],
  ] as const) {
    const path = join(folder, from);
    if (!existsSync(path)) continue;
    const source = readFileSync(path, "utf8").replace("An ES module", "A CommonJS module");
    const [imports = "", ...rest] = source.split("\n\n");
    const required = to.endsWith(".cts")
      ? imports
      : imports.replaceAll(/^import (.*) from (".*");$/gm, "const $1 = require($2);");
    // CommonJS has no `await` at the top level.
    const body = rest.join("\n\n").replaceAll(/^export /gm, "");
    writeFileSync(join(folder, to), `${required}\n\nvoid (async () => {\n${body}})();\n`);
  }
}
