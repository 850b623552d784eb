import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { build, type Plugin } from "esbuild";
import { describeBuildFailure } from "./describe-build-failure.ts";

/** Lists syntax errors and missing imports in functions/own/, except in hidden and linked folders. */
export async function checkOwnCode(projectFolder: string) {
  const folder = join(projectFolder, "functions/own");
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const code = names
    .filter(
      (name) =>
        /\.[mc]?[jt]sx?$/.test(name) &&
        !name.split(sep).some((part) => part.startsWith(".") || part === "node_modules"),
    )
    .map((name) => join(folder, name))
    // An editor's lock file is a broken link.
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .toSorted();
  try {
    await build({
      entryPoints: code.map((file, index) => ({ in: file, out: `${index}` })),
      outdir: folder,
      absWorkingDir: projectFolder,
      bundle: true,
      platform: "node",
      plugins: [checkImports],
      write: false,
      logLevel: "silent",
    });
    return [];
  } catch (error) {
    return describeBuildFailure(error, "functions/own/");
  }
}

const isConfig = /(^|\/)config\/.+\.yml(\.js)?$/;
const resolving = Symbol("resolving");

const checkImports: Plugin = {
  name: "check-imports",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /./ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      // Another plugin reads the files of config/.
      if (kind === "entry-point" || pluginData === resolving || isConfig.test(path))
        return isConfig.test(path) ? { path, external: true } : undefined;
      const { errors } = await resolve(path, { kind, resolveDir, importer, pluginData: resolving });
      return errors.length > 0
        ? { errors: [{ text: `Could not resolve "${path}"` }] }
        : { path, external: true };
    });
  },
};
