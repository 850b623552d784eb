import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { build } from "esbuild";
import { describeBuildFailure } from "./describe-build-failure.ts";

/**
 * Says where code below a project's functions/own/ cannot be read, a line for each mistake. What it does is for types and tests
 * to say. Hidden folders and node_modules are passed over, and a link to a folder is not followed.
 */
export async function checkOwnCode(projectFolder: string): Promise<readonly string[]> {
  const folder = join(projectFolder, "functions/own");
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const code = names
    .filter((name) => /\.[mc]?[jt]sx?$/.test(name) && !name.split(sep).some(isNoCode))
    .map((name) => join(folder, name))
    // An editor's lock leads nowhere.
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
