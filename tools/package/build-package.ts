import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { loadConfigFile } from "../../build/load-config-file.ts";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { allExtensions } from "../../local/platform/catalogue/extensions.ts";
import { documentedInputs } from "../../local/platform/catalogue/inputs.ts";
import { allOperations } from "../../local/platform/catalogue/operations.ts";
import { buildLedger } from "../../local/platform/ledger/rows.ts";
import { pruneDeclarations } from "../reference/prune-declarations.ts";
import { writeAppParts } from "./app-parts.ts";
import { copyFiles } from "./copy-files.ts";
import { entryPoints } from "./entry-points.ts";
import { makePackedFile } from "./make-packed-file.ts";
import { writeConsolePage } from "./write-console-page.ts";
import { writeManifest } from "./write-manifest.ts";

// npm run pack [-- folder]: builds the package in dist/ or that folder: docs/internals/decisions.md#package.
const root = join(import.meta.dirname, "../..");
const usage = `
Usage: npm run pack [-- <folder>]

Build the published package in dist/, or the folder. Deletes its previous content.

  -h, --help  print this help
`;
const folder = readArguments(usage, (args) => {
  const [named, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (others.length > 0) throw new UsageError("One folder is enough.");
  return named;
});
const dist = resolve(folder ?? join(root, "dist"));
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
if (folder === undefined) {
  // The tests may have built it.
  const built = makePackedFile().dist;
  cpSync(built, dist, { recursive: true, filter: (path) => path !== join(built, "docs") });
  copyFiles(root, dist);
} else await build();
process.stdout.write(`${dist} is the package; npm pack makes one file of it.\n`);

async function build() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const compiled = spawnSync(process.execPath, [tsc, "-p", "tsconfig.package.json", "--outDir", dist], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"], // makePackedFile passes standard error on
  });
  if (compiled.status !== 0) {
    process.stderr.write("The package is not built: the compiler's messages are above.\n");
    process.exit(1);
  }
  copyFiles(root, dist);
  await writeConfigModules(root, dist);
  writeDataModules(dist);
  await writeConsolePage(root, dist);
  pruneDeclarations(dist);
  writeRequireEntryPoints(dist);
  // Omits an app's own declarations.
  cpSync(join(root, "package", "template"), join(dist, "package", "template"), { recursive: true });
  mkdirSync(join(dist, "app"));
  for (const [name, text] of writeAppParts(root)) writeFileSync(join(dist, "app", name), text);
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(writeManifest(), null, 2)}\n`);
}

/** Writes data into modules: a bundle has no other files, and the package lacks the ledger's sources. */
function writeDataModules(dist: string) {
  write(join(dist, "local/platform/ledger/read-ledger.js"), "readLedger", buildLedger());
  write(join(dist, "local/platform/catalogue/extensions.js"), "allExtensions", allExtensions());
  write(join(dist, "local/platform/catalogue/inputs.js"), "documentedInputs", documentedInputs());
  write(join(dist, "local/platform/catalogue/operations.js"), "allOperations", allOperations());
}

function write(file: string, name: string, rows: unknown) {
  writeFileSync(
    file,
    `// What follows from the files that this package was made of.\nexport function ${name}() {\n  return ${JSON.stringify(rows)};\n}\n`,
  );
}

/**
 * Re-exports the ES module: `import` and `require` share one `ChatApiError`. Copies declarations for
 * CommonJS: entry points share their types.
 * @see https://nodejs.org/docs/latest-v20.x/api/modules.html#loading-ecmascript-modules-using-require
 */
function writeRequireEntryPoints(dist: string) {
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

function nameImports(text: string, extension: ".js" | ".cjs") {
  return text.replace(/((?:from |import\()"\.[^"]+)\.(?:js|ts)"/g, `$1${extension}"`);
}

/**
 * Writes modules for the stage `local`: Node loads no YAML. Apps use their files (build/config-modules.ts).
 * @param dist the package, with config/ in it
 */
async function writeConfigModules(root: string, dist: string) {
  const imported = new Set<string>();
  for (const path of globSync("lib/**/*.js", { cwd: dist })) {
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    const named = text.replace(
      /(from "((?:\.\.?\/)+config\/[^"]+\.yml))"/g,
      (_, start: string, to: string) => {
        imported.add(
          relative(dist, resolve(file, "..", to))
            .split(sep)
            .join("/"),
        );
        return `${start}.js"`;
      },
    );
    if (named !== text) writeFileSync(file, named);
  }
  for (const file of imported) {
    const module = await loadConfigFile(join(root, file), "local");
    writeFileSync(
      join(dist, `${file}.js`),
      `// What ${file} of the package says for the stage local.\n${module}\n`,
    );
  }
}
