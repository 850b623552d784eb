import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isRecord, parseJson } from "../../lib/base/json.ts";

export function dependencyOfApp(appFolder: string, version: string, packageFolder: string): string {
  const file = packedFile(packageFolder);
  if (file !== undefined) return `file:${relative(realFolder(appFolder), file).split(sep).join("/")}`;
  // Up to the next major version; before 1.0.0, all of 0.x.
  return version.startsWith("0.") ? `>=${version} <1.0.0` : `^${version}`;
}

/** npm resolves links before it searches parent folders; of a new folder, the existing part counts. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(folder) === folder ? folder : join(realFolder(dirname(folder)), basename(folder));
}

/** npm records each package's source next to them. */
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
