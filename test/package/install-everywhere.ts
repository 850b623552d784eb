import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installers, tryInstaller } from "./try-installer.ts";

// node test/package/install-everywhere.ts: makes the package twice, which must give the same bytes, installs it as everybody
// does, with what it depends on from a registry, and runs the consumers and a store in a file on each Node that they are for. Then makes apps with it, on
// the oldest Node, and has them installed, tested, packaged and started by each installer.
const root = join(import.meta.dirname, "../..");
const consumers = join(import.meta.dirname, "consumers");
const folder = mkdtempSync(join(tmpdir(), "everywhere-"));
const versions = ["20.19.0", "22.13.0"];

try {
  const tarball = packTwice();
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true }\n');
  npm(["install", tarball], project);
  cpSync(consumers, project, { recursive: true });
  const nodes = [...versions.map(installNode), process.execPath];

  const [oldest = "", ...newer] = nodes;
  for (const node of newer) {
    await runBeside(node, project, nodes);
    process.stdout.write(run(node, ["store.mjs"], project));
  }
  assert.throws(
    () => run(oldest, ["platform.mjs"], project),
    /needs Node 22\.13 or newer; this is Node 20\.19\.0/,
  );
  for (const way of installers) await tryInstaller({ ...way, tarball, node: oldest, folder });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the platform with one Node and runs the consumers against it with each. */
async function runBeside(platformNode: string, project: string, nodes: readonly string[]): Promise<void> {
  const platform = spawn(platformNode, ["platform.mjs"], {
    cwd: project,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let ran = 0;
  // It says how to be reached, and nothing more.
  for await (const connection of createInterface({ input: platform.stdout })) {
    for (const node of nodes) {
      for (const file of ["esm/main.mjs", "commonjs/main.cjs"]) {
        process.stdout.write(run(node, [file], project, connection));
        ran += 1;
      }
    }
    platform.stdin.end();
  }
  assert.equal(ran, nodes.length * 2, "The platform did not start.");
}

function packTwice(): string {
  const files = ["first", "second"].map((name) => {
    const place = join(folder, name);
    mkdirSync(place);
    run(process.execPath, [join(root, "scripts/package/build-package.ts"), join(place, "built")], root);
    npm(["pack", "./built"], place);
    const [file = ""] = globSync("*.tgz", { cwd: place });
    return join(place, file);
  });
  const digests = files.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
  assert.equal(digests[0], digests[1], "The same sources do not give the same bytes.");
  return files[0] ?? "";
}

/** Installs a Node of this version, and gives its path. */
function installNode(version: string): string {
  const place = join(folder, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  npm(["install", "--prefix", place, `${name}@${version}`], folder);
  return join(place, "node_modules", name, "bin/node");
}

function npm(args: readonly string[], cwd: string): void {
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function run(node: string, args: readonly string[], cwd: string, connection = ""): string {
  const env = { PATH: process.env.PATH ?? "", CONNECTION: connection };
  return execFileSync(node, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
