import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { packageFolder } from "../../build/folders.ts";
import { readOwnManifest } from "../../build/missing-package.ts";
import { parseJson, readText } from "../../lib/base/json.ts";
import { listSome } from "../../lib/base/names.ts";
import { CliError, type ExitName } from "../cli-error.ts";
import { shellText } from "../shell-text.ts";

/**
 * Writes into a missing or empty folder, with the app's name and this package's versions.
 * @throws CliError if AWS would refuse the name, the folder has content, or it cannot be written
 */
export function initApp(folder: string, name: string) {
  checkNewApp(folder, name);
  const template = join(packageFolder, "package", "template");
  const made: string[] = [];
  try {
    const entries = readdirSync(template, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    for (const file of files) {
      const from = join(file.parentPath, file.name);
      const path = relative(template, from).split(sep).join("/");
      const to = join(folder, path === "gitignore" ? ".gitignore" : path);
      const madeFolder = mkdirSync(dirname(to), { recursive: true });
      if (madeFolder !== undefined) made.push(madeFolder);
      // Keeps a file that another process created meanwhile.
      writeFileSync(to, fillIn(path, readFileSync(from, "utf8"), folder, name), { flag: "wx" });
      made.push(to);
    }
    return { files: files.length };
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    const why = `cannot be written (${codeOf(error)}). Choose another folder, or change its permissions`;
    throw notCreated("wrongUse", `${folder} ${why}.`, error);
  }
}

export function checkNewApp(folder: string, name: string): void {
  refuseName(name);
  refuseFolder(folder);
}

/** Functions are called `<name>-<stage>-<function>`, in 64 characters. */
const longestName = 32;

const neededNode = 24;

/** npm installs no package into one of the same name. */
const reserved: ReadonlySet<string> = new Set(["cometchat-functions", "zod"]);

function refuseName(name: string) {
  const isLong = name.length >= 2 && name.length <= longestName;
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && isLong && !reserved.has(name)) return;
  const form = `small letters, digits and inner dashes, begins with a letter, has 2 to ${longestName} characters`;
  throw notCreated(
    "wrongUse",
    `"${name}" cannot be an app's name. A name has ${form}, and is not ${[...reserved].join(", ")}. Name it with --name, as in: --name ${likeName(name)}`,
  );
}

function likeName(name: string) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^[\d-]+/, "");
  const like = words.slice(0, longestName).replace(/-$/, "");
  return like.length < 2 || reserved.has(like) ? "my-app" : like;
}

/** A folder with only these counts as empty. */
const letBe = new Set([".git", ".DS_Store"]);

function refuseFolder(folder: string) {
  let found: readonly string[];
  try {
    found = readdirSync(folder).filter((name) => !letBe.has(name));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" && lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
    const whys: Readonly<Record<string, string>> = { ENOENT: "is a broken link", ENOTDIR: "is a file" };
    const why = whys[code] ?? `cannot be read (${code})`;
    throw notCreated("wrongUse", `${folder} ${why}. Choose another folder.`, error);
  }
  if (found.length === 0) return;
  throw notCreated(
    "refused",
    `${folder} is not empty: it has ${listSome(found, 3)}. Nothing is overwritten: choose another folder.`,
  );
}

function notCreated(end: ExitName, message: string, cause?: unknown) {
  return new CliError(end, "NOT_CREATED", message, undefined, cause);
}

function fillIn(path: string, text: string, folder: string, name: string) {
  if (path === "package.json") return writeAppManifest(text, folder, name);
  const isNamed = path === "serverless.yml" || path === "README.md";
  return isNamed ? text.replace(/^(# |service: )my-app$/m, `$1${name}`) : text;
}

function writeAppManifest(text: string, folder: string, name: string) {
  const { version, packages, dependencies } = readOwnManifest();
  // The binary takes 190 MB.
  const { node: _, ...others } = packages;
  const bringsNode = nodeOfMachine() < neededNode;
  const manifest = {
    ...JSON.parse(text),
    name,
    ...(!bringsNode && { engines: { node: `>=${neededNode}` } }),
    dependencies: {
      "cometchat-functions": dependencyOfApp(folder, version, packageFolder),
      zod: dependencies.zod ?? "*",
    },
    devDependencies: bringsNode ? packages : others,
    cometchatFunctions: { madeWith: version },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Asks npm: this process may run on a Node that a project brings. */
function nodeOfMachine() {
  const [, version] = /\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent ?? "") ?? [];
  return Number.parseInt(version ?? process.versions.node, 10);
}

function codeOf(error: unknown) {
  return readText(error, "code") ?? "no code";
}

export function writeNextLines(folder: string, { isInstalled = false } = {}): string {
  const lines = folder === "." ? [] : [`cd ${cdWord(folder)}`];
  if (!isInstalled) lines.push("npm install");
  lines.push("npm start         # all on this machine, with a console", "npm test");
  return lines.map((line) => `  ${line}`).join("\n");
}

function cdWord(folder: string) {
  if (folder.startsWith("-")) return cdWord(`./${folder}`);
  if (/^[\w./-]+$/.test(folder)) return folder;
  // Elsewhere all shells read double quotes alike.
  return /["$`\\!]/.test(folder) ? shellText(folder) : `"${folder}"`;
}

export function dependencyOfApp(appFolder: string, version: string, packageFolder: string): string {
  const file = packedFile(packageFolder);
  if (file !== undefined) return `file:${relative(realFolder(appFolder), file).split(sep).join("/")}`;
  // Allows versions up to the next major one; before 1.0.0, all of 0.x.
  return version.startsWith("0.") ? `>=${version} <1.0.0` : `^${version}`;
}

/** Resolves links of a new folder's existing part, as npm does to search parent folders. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(folder) === folder ? folder : join(realFolder(dirname(folder)), basename(folder));
}

function packedFile(packageFolder: string) {
  const project = resolve(realFolder(packageFolder), "..", "..");
  try {
    const noted = parseJson(readFileSync(join(project, "node_modules", ".package-lock.json"), "utf8"));
    const from = readText(noted, "packages.node_modules/cometchat-functions.resolved") ?? "";
    const file = resolve(project, from.replace(/^file:/, ""));
    return /^file:.*\.tgz$/.test(from) && existsSync(file)
      ? join(realFolder(dirname(file)), basename(file))
      : undefined;
  } catch {
    return undefined; // not installed by npm
  }
}
