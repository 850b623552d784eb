import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { PackedFile } from "./make-packed-file.ts";

/** Uses the package's own `init`; the app installs the packed file. */
export function writeNewApp(folder: string, name: string, { file, dist }: PackedFile): void {
  execFileSync(process.execPath, [join(dist, "cli/bin.mjs"), "init", "--name", name, "--", folder]);
  copyFileSync(file, join(folder, basename(file)));
  const manifestFile = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  manifest.dependencies["cometchat-functions"] = `file:${basename(file)}`;
  writeFileSync(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
