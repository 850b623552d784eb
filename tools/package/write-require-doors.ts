import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { doors } from "./doors.ts";

/**
 * Writes what `require` loads: beside each door one that hands on the same ES module, so that there is one `ChatApiError` for
 * `import` and `require`, and beside each declaration the same one for CommonJS, so that the doors go on sharing their types.
 * @see https://nodejs.org/docs/latest-v20.x/api/modules.html#loading-ecmascript-modules-using-require
 */
export function writeRequireDoors(dist: string): void {
  for (const door of doors) {
    writeFileSync(
      join(dist, "package", `${door}.cjs`),
      `"use strict";\nmodule.exports = require("./${door}.js");\n`,
    );
  }
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    // The compiler leaves the names of sources in declarations, and the sources stay at home.
    writeFileSync(file, nameImports(text, ".js"));
    writeFileSync(file.replace(/\.ts$/, ".cts"), nameImports(text, ".cjs"));
  }
}

function nameImports(text: string, extension: ".js" | ".cjs"): string {
  return text.replace(/((?:from |import\()"\.[^"]+)\.(?:js|ts)"/g, `$1${extension}"`);
}
