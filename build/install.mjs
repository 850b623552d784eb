// Installs the locked dependencies if needed. Runs on the machine's Node, and imports only Node's modules.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const minimumNode = [20, 19];
/** minimumNode suffices to install the project. */
const neededNode = 24;
/** Exists until all is done, so that an interrupted installation is repeated; names its processes. */
const mark = `${root}/.installing`;
/** After 10 min, its process ids may be other programs'. */
const longestMs = 600_000;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1])) {
  fail(
    `Node ${minimumNode.join(".")} or newer is needed, this is ${process.version}. Install it from https://nodejs.org.`,
  );
}

if (isRunning()) process.stderr.write("Waiting for another installation in this folder …\n");
while (isRunning()) await setTimeout(200);
if (existsSync(mark) || !isInstalled()) {
  process.stderr.write("Installing dependencies (once, about a minute) …\n");
  // npm before version 11 runs the scripts of all packages, whatever package.json allows.
  await runNpm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const { allowScripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  await runNpm("rebuild", ...Object.keys(allowScripts).filter((name) => allowScripts[name]));
  removeBrokenNode();
  rmSync(mark);
}

/** The package node has no build for musl (Alpine Linux): npm's scripts then use the machine's Node. */
function removeBrokenNode() {
  const node = `${root}/node_modules/.bin/node`;
  if (spawnSync(node, ["--version"]).status === 0) return;
  if (major < neededNode) {
    fail(
      `The Node that npm installed does not start here: npm's scripts are switched off, or this system needs another build. Install Node ${neededNode} or newer; this is ${process.version}.`,
    );
  }
  rmSync(node, { force: true });
}

/** @param {...string} args */
async function runNpm(...args) {
  const npm = npmCommand();
  const child = spawn(npm.command, [...npm.args, ...args, "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
    shell: npm.shell,
  });
  writeFileSync(mark, `${process.pid} ${child.pid}`);
  const [status] = await once(child, "exit").catch(() => [1]);
  if (status === 0) return;
  fail(
    `\`npm ${args[0]}\` failed; its message is above. Check that this machine reaches the npm registry, then run the command again.`,
  );
}

function isRunning() {
  try {
    const ids = readFileSync(mark, "utf8").split(" ").map(Number);
    const isFresh = Date.now() - statSync(mark).mtimeMs < longestMs;
    return isFresh && ids.some((id) => id !== process.pid && isAlive(id));
  } catch {
    return false;
  }
}

/** @param {number} id */
function isAlive(id) {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** Compares package-lock.json with npm's record of what is installed; optional packages may be absent. */
function isInstalled() {
  const installedFile = `${root}/node_modules/.package-lock.json`;
  if (!existsSync(installedFile)) return false;
  const locked = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedFile, "utf8")).packages;
  return Object.entries(locked).every(
    ([path, wanted]) =>
      path === "" ||
      wanted.optional === true ||
      wanted.peer === true ||
      (installed[path]?.version === wanted.version && existsSync(`${root}/${path}/package.json`)),
  );
}

/** Uses npm's own Node: node_modules/.bin/node would delete itself. */
function npmCommand() {
  const { npm_execpath: npmFile, npm_node_execpath: nodeFile } = process.env;
  if (npmFile && nodeFile && !nodeFile.startsWith(root))
    return { command: nodeFile, args: [npmFile], shell: false };
  return { command: "npm", args: [], shell: process.platform === "win32" };
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
