// Installs the locked dependencies if needed. Runs before any installation, on the machine's own Node:
// imports only Node's modules.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const minimumNode = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1])) {
  fail(
    `Node ${minimumNode.join(".")} or newer is needed, this is ${process.version}. Install it from https://nodejs.org.`,
  );
}

if (!isInstalled()) {
  process.stderr.write("Installing dependencies (once, about a minute) …\n");
  // npm before version 11 runs the scripts of all packages, whatever package.json allows.
  runNpm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const { allowScripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  runNpm("rebuild", ...Object.keys(allowScripts).filter((name) => allowScripts[name]));
}

/** @param {...string} args */
function runNpm(...args) {
  const npm = npmCommand();
  const { status } = spawnSync(npm.command, [...npm.args, ...args, "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
    shell: npm.shell,
  });
  if (status === 0) return;
  fail(
    `\`npm ${args[0]}\` failed; its message is above. Check that this machine reaches the npm registry, then run the command again.`,
  );
}

/**
 * Compares package-lock.json with node_modules/.package-lock.json, npm's record of what is installed;
 * optional packages may be absent.
 */
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

/** On its own Node: node_modules/.bin/node would delete itself. */
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
