import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { addCommonJs } from "./add-common-js.ts";
import { runWithin } from "./run-within.ts";
import { installers, tryInstaller } from "./try-installer.ts";

// node test/package/install-everywhere.ts: makes the package twice, which must give the same bytes, installs
// it with its dependencies from a registry, and runs the consumers and a store in a file on each Node. Then
// makes apps with it on the oldest Node; each installer installs, tests and starts them.
const root = join(import.meta.dirname, "../..");
const consumers = join(import.meta.dirname, "consumers");
const folder = mkdtempSync(join(tmpdir(), "everywhere-"));
const versions = ["20.19.0", "22.13.0"];
/** Everything here takes less than a third of it, on a machine with two busy cores. */
const mostSeconds = 600;

try {
  const tarball = await packTwice();
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true }\n');
  await npm(["install", tarball], project);
  cpSync(consumers, project, { recursive: true });
  addCommonJs(join(project, "esm"));
  const nodes = [...(await Promise.all(versions.map(installNode))), process.execPath];

  const [oldest = "", ...newer] = nodes;
  for (const node of newer) {
    await runBeside(node, project, nodes);
    process.stdout.write(await run(node, ["store.mjs"], project));
  }
  await assert.rejects(
    run(oldest, ["platform.mjs"], project),
    /needs Node 22\.13 or newer; this is Node 20\.19\.0/,
  );
  for (const way of installers) await tryInstaller({ ...way, tarball, node: oldest, folder });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the platform with one Node and runs the consumers against it with each. */
async function runBeside(platformNode: string, project: string, nodes: readonly string[]) {
  const platform = spawn(platformNode, ["platform.mjs"], {
    cwd: project,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const limit = setTimeout(() => platform.kill("SIGKILL"), mostSeconds * 1000);
  let ran = 0;
  try {
    // It prints only its addresses.
    for await (const connection of createInterface({ input: platform.stdout })) {
      for (const node of nodes) {
        for (const file of ["esm/main.mjs", "esm/main.cjs"]) {
          process.stdout.write(await run(node, [file], project, connection));
          ran += 1;
        }
      }
      platform.stdin.end();
    }
  } finally {
    clearTimeout(limit);
    platform.kill();
  }
  assert.equal(ran, nodes.length * 2, `The platform on ${platformNode} did not start.`);
}

async function packTwice() {
  const files: string[] = [];
  for (const name of ["first", "second"]) {
    const place = join(folder, name);
    mkdirSync(place);
    const build = [join(root, "tools/package/build-package.ts"), join(place, "built")];
    await run(process.execPath, build, root);
    await npm(["pack", "./built"], place);
    const [file = ""] = globSync("*.tgz", { cwd: place });
    files.push(join(place, file));
  }
  const digests = files.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
  assert.equal(digests[0], digests[1], "The same sources do not give the same bytes.");
  return files[0] ?? "";
}

/** Installs a Node of this version, and returns its path. */
async function installNode(version: string) {
  const place = join(folder, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  await npm(["install", "--prefix", place, `${name}@${version}`], folder);
  return join(place, "node_modules", name, "bin/node");
}

async function npm(args: readonly string[], cwd: string) {
  const words = ["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"];
  await runWithin(words, { cwd, env: process.env, seconds: mostSeconds });
}

function run(node: string, args: readonly string[], cwd: string, connection = "") {
  const env = { PATH: process.env.PATH ?? "", CONNECTION: connection };
  return runWithin([node, ...args], { cwd, env, seconds: mostSeconds });
}
