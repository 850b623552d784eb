import { execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { packPackage } from "./packed-package.ts";

const root = join(import.meta.dirname, "../..");
const ownModules = join(root, "node_modules");

/** The exit code and output of an app's program. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface MadeApp {
  readonly folder: string;
  /** Runs a program of the app's packages, as an npm script does. */
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  /** The variables of such a program. */
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/**
 * Makes an app by a packed file's own `init`. The package is installed as npm leaves it; its dependencies
 * are linked from this repository. The caller removes the app.
 * @param packedFile default: the current sources, packed
 * @param later the file of a later version, whose dependencies are linked too
 */
export async function makeApp(packedFile?: string, later?: string): Promise<MadeApp> {
  // The system's folder: from within this repository, all of its packages would be found.
  const place = realpathSync(mkdtempSync(join(tmpdir(), "made-app-")));
  const folder = join(place, "my-app");
  const fetched = join(place, "fetched");
  unpack(packedFile ?? (await packPackage()).file, fetched);
  execFileSync(process.execPath, [join(fetched, "cli/bin.mjs"), "init", folder, "--name", "my-app"]);
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  renameSync(fetched, join(modules, "cometchat-functions"));
  const { devDependencies } = readJson(join(folder, "package.json"));
  const { dependencies } = readJson(join(modules, "cometchat-functions/package.json"));
  const next = later === undefined ? {} : manifestOf(later);
  const needed: Readonly<Record<string, string>> = {
    ...next.dependencies,
    ...devDependencies,
    ...dependencies,
  };
  for (const [name, range] of Object.entries(needed)) linkPackage(name, range, modules);
  linkPrograms(modules);
  const environment = environmentOf(modules);
  return {
    folder,
    environment,
    run: (...command) => runIn(folder, environment, command),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

export interface StartedApp {
  /**
   * Waits for a text, and returns all lines since the last time.
   * @throws Error with the lines if the program ends
   */
  until(part: string): Promise<string>;
}

/** Starts an app by its `start` script, at free ports, until the test ends. */
export function startApp({ folder, environment }: MadeApp): StartedApp {
  const [program = "", ...words]: readonly string[] = readJson(
    join(folder, "package.json"),
  ).scripts.start.split(" ");
  const child = spawn(program, [...words, "--port", "0"], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lines: string[] = [];
  let isOver = false;
  const heard = new EventEmitter();
  onTestFinished(async () => {
    if (isOver) return;
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      heard.emit("line");
    });
  for (const end of ["close", "error"])
    child.once(end, () => {
      isOver = true;
      heard.emit("line");
    });
  return {
    async until(part) {
      while (!lines.some((line) => line.includes(part))) {
        if (isOver) throw new Error(`It ended without "${part}":\n${lines.join("\n")}`);
        await once(heard, "line");
      }
      const told = lines.join("\n");
      lines = [];
      return told;
    },
  };
}

/** Runs a program in a folder to its end. */
export async function runIn(
  folder: string,
  environment: NodeJS.ProcessEnv,
  [program = "", ...args]: readonly string[],
): Promise<Ended> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, output: `${out}${errors}` };
}

/** Without this process's test variables, and programs of the app's packages first, as npm has it. */
function environmentOf(modules: string): NodeJS.ProcessEnv {
  const { PATH = "", HOME, TMPDIR } = process.env;
  const path = [join(modules, ".bin"), PATH].join(delimiter);
  return { PATH: path, HOME, NO_COLOR: "1", ...(TMPDIR !== undefined && { TMPDIR }) };
}

/** Unpacks an npm package into a folder. */
export function unpack(packedFile: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", packedFile, "-C", folder, "--strip-components=1"]);
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Links a package of this repository, whose own dependencies resolve from its place. */
export function linkPackage(name: string, range: string, modules: string): void {
  const [source, target] = [join(ownModules, name), join(modules, name)];
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(source)) {
    symlinkSync(source, target);
    return;
  }
  // Only an earlier version needs it.
  mkdirSync(target);
  writeFileSync(join(target, "package.json"), JSON.stringify({ name, version: range.replace(/^[\^~]/, "") }));
}

export function manifestOf(packedFile: string) {
  return JSON.parse(execFileSync("tar", ["-xzOf", packedFile, "package/package.json"], { encoding: "utf8" }));
}

/** npm puts the programs of all packages into one folder. */
function linkPrograms(modules: string) {
  const programs = join(modules, ".bin");
  mkdirSync(programs);
  for (const name of readdirSync(join(ownModules, ".bin"))) {
    const leadsTo = readlinkSync(join(ownModules, ".bin", name));
    if (existsSync(join(programs, dirname(leadsTo)))) symlinkSync(leadsTo, join(programs, name));
  }
  symlinkSync("../cometchat-functions/cli/bin.mjs", join(programs, "cometchat-functions"));
  chmodSync(join(programs, "cometchat-functions"), 0o755);
}
