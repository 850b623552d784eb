import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";
import { installCommands } from "./install-commands.ts";

export const packageFolder = join(import.meta.dirname, "..");

/** False in the repository, which is itself an app. */
export const isPackage = import.meta.filename.endsWith(".js");

export class NoProjectError extends Error {
  override readonly name = "NoProjectError";
}

/** Returns this repository, or the nearest folder upwards with a serverless.yml. @throws NoProjectError */
export function findProjectFolder(): string {
  if (!isPackage) return packageFolder;
  const from = process.cwd();
  const found = findAppFolder(from);
  if (found !== undefined) return found;
  throw new NoProjectError(
    `There is no serverless.yml in ${from}, nor above: run this in the folder of an app. \`npx cometchat-functions init <folder>\` makes one.`,
  );
}

export function findAppFolder(from: string): string | undefined {
  return foldersAbove(from).find(
    (folder) => existsSync(join(folder, "serverless.yml")) && !folder.split(sep).includes("node_modules"),
  );
}

export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** Returns the package's file if the app omits it. @param file such as `functions/own/flows.ts` */
export function fileOrDefault(projectFolder: string, file: string): string {
  const own = join(projectFolder, file);
  return !isPackage || existsSync(own) ? own : shippedFile(projectFolder, file);
}

export function shippedFile(projectFolder: string, file: string): string {
  return isPackage ? join(packageFolder, file.replace(/\.ts$/, ".js")) : join(projectFolder, file);
}

/** Returns the path from the app's folder, with a trailing slash; "" for this repository. */
export function packagePlaceOf(projectFolder: string): string {
  return existsSync(join(projectFolder, installed, "package.json"))
    ? `${installed.replaceAll(sep, "/")}/`
    : "";
}

/**
 * Links the package into the app's node_modules, for serverless.yml, if a workspace installs it above. Does
 * nothing outside of an app's folder. Repeatable.
 */
export function linkPackage(): void {
  const appFolder = findAppFolder(process.cwd());
  const found = appFolder === undefined ? undefined : installedPackage(appFolder);
  if (!isPackage || isVirtual() || appFolder === undefined || found === undefined) return;
  const place = join(appFolder, installed);
  if (existsSync(join(place, "package.json"))) return;
  try {
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    symlinkSync(relative(realpathSync(dirname(place)), found), place, "junction");
  } catch {}
}

/** @returns undefined if the paths in the app's serverless.yml lead to the package */
export function describeMisplacedPackage(projectFolder: string): string | undefined {
  if (!isPackage) return undefined;
  if (isVirtual())
    return "Yarn's Plug'n'Play keeps packages in archives, in which neither the framework nor the bundler finds files. Type: yarn config set nodeLinker node-modules && yarn install";
  if (existsSync(join(projectFolder, installed, "package.json"))) return undefined;
  const found = installedPackage(projectFolder);
  return found === undefined
    ? `package.json: its packages are not installed. Type in ${projectFolder}: ${installCommands(projectFolder).install}`
    : `serverless.yml: its lines lead to ${installed}, the package lies in ${relative(projectFolder, found)}, and no link to it can be created there. Check the permissions of ${join(projectFolder, "node_modules")}.`;
}

const installed = join("node_modules", "cometchat-functions");

function installedPackage(projectFolder: string) {
  try {
    const from = createRequire(join(projectFolder, "package.json"));
    return realpathSync(dirname(from.resolve("cometchat-functions/package.json")));
  } catch {
    return undefined;
  }
}

/** Lists files that npm, pnpm and Yarn write when packages change, here and above. Not all exist. */
export function filesOfInstallers(projectFolder: string): readonly string[] {
  return foldersAbove(projectFolder).flatMap((folder) => {
    const packages = join(folder, "node_modules");
    if (!existsSync(packages)) return [];
    const place = relative(projectFolder, packages).replaceAll(sep, "/");
    return installerFiles.map((file) => `${place}/${file}`);
  });
}

export function isFileOfInstaller(file: string): boolean {
  return installerFiles.some((name) => file.endsWith(`node_modules/${name}`));
}

const installerFiles = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-state.yml"] as const;

/** Returns whether packages are Yarn archives: https://yarnpkg.com/features/pnp */
function isVirtual() {
  return process.versions.pnp !== undefined;
}
