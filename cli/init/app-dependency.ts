import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isRecord, parseJson } from "../../lib/base/json.ts";

/**
 * Says which versions of this package an app takes, as its package.json says it: all that `npm update` may bring, or the file
 * that npm installed this one from, which need not be on any registry.
 */
export function dependencyOfApp(appFolder: string, version: string, packageFolder: string): string {
  const file = packedFile(packageFolder);
  if (file !== undefined) return `file:${relative(realFolder(appFolder), file).split(sep).join("/")}`;
  // Up to the next great version; before 1.0.0 that is all of 0.x.
  return version.startsWith("0.") ? `>=${version} <1.0.0` : `^${version}`;
}

/** npm goes up from where a folder really is, which links hide; of one that is not there yet, what there is of it counts. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(folder) === folder ? folder : join(realFolder(dirname(folder)), basename(folder));
}

/** npm notes where each package is from beside them. */
function packedFile(packageFolder: string): string | undefined {
  const project = resolve(realFolder(packageFolder), "..", "..");
  try {
    const noted = parseJson(readFileSync(join(project, "node_modules", ".package-lock.json"), "utf8"));
    const packages = isRecord(noted) && isRecord(noted.packages) ? noted.packages : {};
    const own = packages["node_modules/cometchat-functions"];
    const from = isRecord(own) ? String(own.resolved) : "";
    const file = resolve(project, from.replace(/^file:/, ""));
    return /^file:.*\.tgz$/.test(from) && existsSync(file)
      ? join(realFolder(dirname(file)), basename(file))
      : undefined;
  } catch {
    return undefined; // not installed by npm
  }
}
