#!/usr/bin/env node
// Runs on the machine's Node and starts the project's own. Installs packages in this repository only.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const programs = {
  start: new URL("../local/start.ts", import.meta.url),
  demo: new URL("../local/demo.ts", import.meta.url),
  platform: new URL("../local/platform/main.ts", import.meta.url),
  config: new URL("../build/config.ts", import.meta.url),
  package: new URL("../build/package-service.ts", import.meta.url),
};
const neededNode = 24;

const bareHelp = `Usage: cometchat-functions <command>

  init [folder]  create an app
  platform       run the emulated platform, on Node ${neededNode} or newer
  --version      print the version

All other commands run in an app's folder, on Node ${neededNode} or newer, with the app's packages: --help lists them there.
`;

const isPackage = existsSync(new URL("main.js", import.meta.url));
const words = process.argv.slice(2);
const [name = "", ...rest] = words;
const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
const file = fileURLToPath(program ?? new URL("./main.ts", import.meta.url));
const args = program === undefined ? words : rest;
if (name === "--version") {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
} else if (isPackage) {
  if (name === "init") await runInit();
  else await runInApp();
} else {
  await import("../build/install.mjs");
  const cache = new URL("../build/compile-cache.mjs", import.meta.url).href;
  const node = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  // The installation removes a Node that does not start.
  handOver(existsSync(node) ? node : process.execPath, [...["--import", cache, file], ...args]);
}

/** Runs on the current Node: the app brings its own. */
async function runInit() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return fail(
      `Node 20.19 or newer is needed, this is ${process.version}. Install it from https://nodejs.org.`,
    );
  await import(new URL("init/main.js", import.meta.url).href);
}

async function runInApp() {
  if (Number(process.versions.node.split(".")[0]) < neededNode) {
    // Uses the binary itself: pnpm puts a script in .bin.
    const node = findAbove(process.cwd(), join("node_modules", "node", "bin", "node"));
    // Starts once: the app's Node may be too old, too.
    if (node !== undefined && realpathSync(node) !== realpathSync(process.execPath))
      return handOver(node, [fileURLToPath(import.meta.url), ...words]);
    const isUnmade = findAbove(process.cwd(), join("node_modules", "node", "package.json")) !== undefined;
    const { installCommands } = await import(new URL("../build/install-commands.js", import.meta.url).href);
    const remedy = isUnmade
      ? "The app's package node has no binary: its install script did not run. Type in the app's folder: npm rebuild node (with pnpm: pnpm approve-builds)"
      : `Type in the app's folder: ${installCommands(process.cwd()).addDev} node@^${neededNode}`;
    return fail(`Node ${neededNode} or newer is needed, this is ${process.version}. ${remedy}`);
  }
  process.argv.splice(1, process.argv.length, file, ...args);
  const { describeMissingPackage } = await import(
    new URL("../build/missing-package.js", import.meta.url).href
  );
  const { linkPackage } = await import(new URL("../build/folders.js", import.meta.url).href);
  linkPackage();
  try {
    await import(new URL("../build/compile-cache.mjs", import.meta.url).href);
    await import(pathToFileURL(file).href);
  } catch (error) {
    const said = describeMissingPackage(error);
    if (said === undefined && error?.name !== "NoProjectError") throw error;
    fail(said ?? error.message);
  }
}

/** Prints help even if it cannot run. */
function fail(message) {
  const asksForHelp = ["", "help", "-h", "--help"].includes(name) && rest.length === 0;
  if (asksForHelp) return process.stdout.write(bareHelp);
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}

function findAbove(folder, path) {
  const file = join(folder, path);
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), path);
}

function handOver(node, args) {
  const endWithParent = new URL("end-with-parent.mjs", import.meta.url).href;
  const child = spawn(node, ["--import", endWithParent, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // Ctrl-C reaches both processes: the command decides how it ends.
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => signal === "SIGTERM" && child.kill(signal));
  child.on("exit", (code, signal) => {
    // The shell's exit code for a signal; 1 would mean success with findings.
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}
