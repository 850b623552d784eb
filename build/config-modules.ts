import { join, relative, resolve, sep } from "node:path";
import { packageFolder } from "./folders.ts";

/**
 * Gives the file of a project's config/ that the package's code means by an import, undefined where it means none: the
 * package has a file of each name, and beside some a module for Node (tools/package/write-config-modules.ts).
 * @param specifier what is imported, such as `../config/apps.yml.js`
 * @param folder the folder of the module that imports
 */
export function configFileMeant(
  specifier: string,
  folder: string,
  projectFolder: string,
): string | undefined {
  if (!/^\.\.?\/.*\.yml(\.js)?$/.test(specifier)) return undefined;
  const file = relative(packageFolder, resolve(folder, specifier)).split(sep).join("/");
  return file.startsWith("config/") ? join(projectFolder, file.replace(/\.js$/, "")) : undefined;
}
