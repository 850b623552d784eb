import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";

/** Where this software lies: its repository, or the package below an app's node_modules. */
export const packageFolder = join(import.meta.dirname, "..");

/** Whether this is the package, made for apps of their own, and not its repository, which is an app itself. */
export const isPackage = import.meta.filename.endsWith(".js");

/** Where an app's folder is nowhere to be found. */
export class NoProjectError extends Error {
  override readonly name = "NoProjectError";
}

/**
 * Gives the folder of what is started, deployed and looked at: this repository, or the app that uses the package, which is
 * the nearest folder with a serverless.yml, from a folder upwards.
 * @throws NoProjectError where there is none
 */
export function findProjectFolder(from: string = process.cwd()): string {
  if (!isPackage) return packageFolder;
  const found = findAppFolder(from);
  if (found !== undefined) return found;
  throw new NoProjectError(
    `There is no serverless.yml in ${from}, nor above: run this in the folder of an app. \`npx cometchat-functions init <folder>\` makes one.`,
  );
}

/** Gives the nearest folder with a serverless.yml, from a folder upwards; undefined where there is none. */
export function findAppFolder(from: string): string | undefined {
  return foldersAbove(from).find(
    (folder) => existsSync(join(folder, "serverless.yml")) && !folder.split(sep).includes("node_modules"),
  );
}

/** Gives a folder and all above it, the nearest first. */
export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/**
 * Gives the file of a project that may be left out in an app: the package has one that is taken instead.
 * @param file from the project's folder, such as `functions/own/flows.ts`
 */
export function fileOrDefault(projectFolder: string, file: string): string {
  const own = join(projectFolder, file);
  return !isPackage || existsSync(own) ? own : shippedFile(projectFolder, file);
}

/**
 * Gives a file that ships: one of the project's own where it is this repository, of the package in an app.
 * @param file from the repository's folder, such as `functions/triggers/index.ts`
 */
export function shippedFile(projectFolder: string, file: string): string {
  return isPackage ? join(packageFolder, file.replace(/\.ts$/, ".js")) : join(projectFolder, file);
}

/** Gives the place of the package's own files in an app, from the app's folder, with a slash at its end; "" for a project that holds them itself. */
export function packagePlaceOf(projectFolder: string): string {
  return existsSync(join(projectFolder, installed, "package.json"))
    ? `${installed.replaceAll(sep, "/")}/`
    : "";
}

/**
 * Sees to it that the lines of an app's serverless.yml lead to the package, which lies above the app where a workspace's
 * packages are shared: a link is put into the app's own node_modules. What is there already stays. May be repeated.
 * @param from the app's folder or one below; elsewhere nothing is done
 */
export function linkPackage(from: string = process.cwd()): void {
  const appFolder = findAppFolder(from);
  const found = appFolder === undefined ? undefined : installedPackage(appFolder);
  if (!isPackage || isVirtual() || appFolder === undefined || found === undefined) return;
  const place = join(appFolder, installed);
  if (existsSync(join(place, "package.json"))) return;
  try {
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true }); // a link that leads nowhere
    symlinkSync(relative(realpathSync(dirname(place)), found), place, "junction");
  } catch {
    // What has to be done by hand is said by whatever needs the link: describeMisplacedPackage.
  }
}

/** Says what is wrong where the lines of an app's serverless.yml do not lead to the package. Undefined if all is well. */
export function describeMisplacedPackage(projectFolder: string): string | undefined {
  if (!isPackage) return undefined;
  if (isVirtual())
    return "Yarn's Plug'n'Play keeps packages in archives, in which neither the framework nor the bundler finds files. Type: yarn config set nodeLinker node-modules && yarn install";
  if (existsSync(join(projectFolder, installed, "package.json"))) return undefined;
  const found = installedPackage(projectFolder);
  return found === undefined
    ? `package.json: its packages are not installed. Type in ${projectFolder}: npm install`
    : `serverless.yml: its lines lead to ${installed}, the package lies in ${relative(projectFolder, found)}, and no link to it can be put there. See who may write ${join(projectFolder, "node_modules")}.`;
}

const installed = join("node_modules", "cometchat-functions");

/** Gives the package's folder as Node finds it from an app's; undefined where it is not installed. */
function installedPackage(projectFolder: string): string | undefined {
  try {
    const from = createRequire(join(projectFolder, "package.json"));
    return realpathSync(dirname(from.resolve("cometchat-functions/package.json")));
  } catch {
    return undefined;
  }
}

/**
 * Names the files that installers write when they change a project's packages (npm, pnpm, Yarn), as paths from its folder:
 * they lie in its node_modules or in one above. Not all of them are there.
 */
export function filesOfInstallers(projectFolder: string): readonly string[] {
  return foldersAbove(projectFolder).flatMap((folder) => {
    const packages = join(folder, "node_modules");
    if (!existsSync(packages)) return [];
    const place = relative(projectFolder, packages).replaceAll(sep, "/");
    return installerFiles.map((file) => `${place}/${file}`);
  });
}

/** Tells such a file by its path. */
export function isFileOfInstaller(file: string): boolean {
  return installerFiles.some((name) => file.endsWith(`node_modules/${name}`));
}

const installerFiles = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-state.yml"] as const;

/** Whether packages are archives of Yarn's: https://yarnpkg.com/features/pnp */
function isVirtual(): boolean {
  return process.versions.pnp !== undefined;
}
