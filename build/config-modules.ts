import { join, relative, resolve, sep } from "node:path";
import { packageFolder } from "./folders.ts";

/**
 * Returns the file of config/ that an import in the package means, perhaps by a module for Node
 * (tools/package/build-package.ts).
 * @param specifier such as `../config/apps.yml.js`
 * @param folder of the importing module
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
