import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryPoints } from "./entry-points.ts";

/**
 * Each re-exports the same ES module, so that `import` and `require` share one `ChatApiError`; declarations
 * are copied for CommonJS, so that the entry points share their types.
 * @see https://nodejs.org/docs/latest-v20.x/api/modules.html#loading-ecmascript-modules-using-require
 */
export function writeRequireEntryPoints(dist: string): void {
  for (const entry of entryPoints) {
    writeFileSync(
      join(dist, "package", `${entry}.cjs`),
      `"use strict";\nmodule.exports = require("./${entry}.js");\n`,
    );
  }
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    // The compiler keeps source names in declarations.
    writeFileSync(file, nameImports(text, ".js"));
    writeFileSync(file.replace(/\.ts$/, ".cts"), nameImports(text, ".cjs"));
  }
}

function nameImports(text: string, extension: ".js" | ".cjs"): string {
  return text.replace(/((?:from |import\()"\.[^"]+)\.(?:js|ts)"/g, `$1${extension}"`);
}
