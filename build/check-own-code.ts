import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { build } from "esbuild";
import { describeBuildFailure } from "./describe-build-failure.ts";

/** Lists syntax errors in functions/own/. Skips hidden folders, node_modules and links to folders. */
export async function checkOwnCode(projectFolder: string): Promise<readonly string[]> {
  const folder = join(projectFolder, "functions/own");
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const code = names
    .filter((name) => /\.[mc]?[jt]sx?$/.test(name) && !name.split(sep).some(isNoCode))
    .map((name) => join(folder, name))
    // An editor's lock file is a broken link.
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .toSorted();
  try {
    await build({
      entryPoints: code.map((file, index) => ({ in: file, out: `${index}` })),
      outdir: folder,
      absWorkingDir: projectFolder,
      bundle: false,
      write: false,
      logLevel: "silent",
    });
    return [];
  } catch (error) {
    return describeBuildFailure(error, "functions/own/");
  }
}

function isNoCode(folderOrFile: string): boolean {
  return folderOrFile.startsWith(".") || folderOrFile === "node_modules";
}
