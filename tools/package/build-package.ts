import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { pruneDeclarations } from "../reference/prune-declarations.ts";
import { writeAppParts } from "./app-parts.ts";
import { copyFiles } from "./copy-files.ts";
import { makePackedFile } from "./make-packed-file.ts";
import { writeConfigModules } from "./write-config-modules.ts";
import { writeConsolePage } from "./write-console-page.ts";
import { writeDataModules } from "./write-data-modules.ts";

import { writeManifest } from "./write-manifest.ts";
import { writeRequireEntryPoints } from "./write-require-entry-points.ts";

// npm run pack [-- folder]: builds the package in dist/ or that folder:
// docs/internals/decisions.md#package.
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

async function build(): Promise<void> {
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
  // Without an app's own declarations.
  cpSync(join(root, "package", "template"), join(dist, "package", "template"), { recursive: true });
  mkdirSync(join(dist, "app"));
  for (const [name, text] of writeAppParts(root)) writeFileSync(join(dist, "app", name), text);
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(writeManifest(manifest), null, 2)}\n`);
}
