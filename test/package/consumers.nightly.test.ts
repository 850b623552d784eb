import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPlatform, type Platform } from "cometchat-functions/platform";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { buildLedger } from "../../local/platform/ledger/rows.ts";
import { entryPoints } from "../../tools/package/entry-points.ts";
import { installPackage, packPackage } from "../helpers/packed-package.ts";
import { addCommonJs } from "./add-common-js.ts";

const root = join(import.meta.dirname, "../..");
const compilers = {
  7: join(root, "node_modules/typescript/bin/tsc"),
  6: join(root, "tools/reference/node_modules/typescript/bin/tsc"),
  // The oldest in docs/internals/releases.md.
  5.4: join(root, "tools/oldest/node_modules/typescript/bin/tsc"),
};
let platform: Platform;

beforeAll(async () => {
  platform = await createPlatform();
});

afterAll(async () => {
  await platform.close();
});

/** The part of are-the-types-wrong's answer that is read here. */
const attwAnswer = z.object({
  analysis: z.object({
    problems: z.array(z.unknown()),
    entrypoints: z.record(
      z.string(),
      z.object({ resolutions: z.record(z.string(), z.object({ resolution: z.optional(z.unknown()) })) }),
    ),
  }),
});

it("are-the-types-wrong finds no mistakes in the entry points, in any resolution mode", {
  timeout: 900_000,
}, async () => {
  const attw = join(root, "node_modules/.bin/attw");

  const args = [attw, (await packPackage()).file, "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });

  const { analysis } = attwAnswer.parse(JSON.parse(stdout));
  expect(analysis.problems).toEqual([]);
  const resolved = Object.values(analysis.entrypoints).map(({ resolutions }) => resolutions);
  expect(resolved).toHaveLength(entryPoints.length + 1);
  for (const resolutions of resolved) {
    expect(Object.keys(resolutions).sort()).toEqual(["bundler", "node10", "node16-cjs", "node16-esm"]);
    expect(Object.values(resolutions).filter(({ resolution }) => resolution === undefined)).toEqual([]);
  }
});

/** A project of one of consumers/, with the packed package and the named packages installed. */
async function openProject(name: string, options: Parameters<typeof installPackage>[0] = {}) {
  const project = await installPackage({ besides: ["@types/node", "@types/aws-lambda"], ...options });
  cpSync(join(import.meta.dirname, "consumers", name), project, { recursive: true });
  addCommonJs(project);
  return project;
}

async function runNode(args: readonly string[], project: string) {
  const env = { PATH: process.env.PATH ?? "", CONNECTION: JSON.stringify(platform.connection()) };
  try {
    return (await promisify(execFile)(process.execPath, [...args], { cwd: project, env })).stdout.trim();
  } catch (error) {
    // The compiler reports on standard output.
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr);
  }
}

const textsSent = () => platform.messages().map(({ data }) => (data as { text?: string }).text);

const both = ["built/esm.mjs", "built/commonjs.cjs"];

describe("a project with only the packed file and its dependencies", { timeout: 900_000 }, () => {
  it.each([
    ["an ES module", "main.mjs"],
    ["a CommonJS module", "main.cjs"],
  ])("runs as %s with pnpm's layout of links", async (_kind, file) => {
    const project = await openProject("esm", { layout: "links" });

    const said = await runNode([file], project);

    expect(textsSent()).toContain(said);
  });

  it.each([
    ["nodenext, ES modules and CommonJS,", "tsconfig.json", 7, both],
    ["nodenext with the compiler before", "tsconfig.json", 6, both],
    ["nodenext with the oldest compiler", "tsconfig.json", 5.4, both],
    ["a bundler's", "tsconfig.bundler.json", 7, ["built/esm.mjs"]],
    ["node10", "tsconfig.node10.json", 6, ["built/commonjs.cjs"]],
  ] as const)(
    "compiles strictly, libraries too, by the resolution of %s and runs",
    async (_way, settings, compiler, built) => {
      const project = await openProject("typescript");

      await runNode([compilers[compiler], "-p", settings], project);
      const said = await Promise.all(built.map((file) => runNode([file], project)));

      expect(existsSync(join(project, "built"))).toBe(true);
      expect(textsSent()).toEqual(expect.arrayContaining(said));
    },
  );

  it("runs as one bundle", async () => {
    const project = await openProject("bundled");
    const outfile = join(project, "bundle.mjs");

    await build({
      absWorkingDir: project,
      entryPoints: ["main.mjs"],
      outfile,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
    });
    const said = await runNode([outfile], project);

    expect(textsSent()).toContain(said);
  });

  it.each([
    ["the package", "pages.mjs", undefined],
    ["one bundle, an ES module", "bundle.mjs", "esm"],
    ["one bundle, a CommonJS module", "bundle.cjs", "cjs"],
  ] as const)(
    "shows the platform's pages, and its ledger as it is here, from %s",
    async (_from, file, format) => {
      const project = await openProject("bundled");
      if (format !== undefined) {
        await build({
          absWorkingDir: project,
          entryPoints: ["pages.mjs"],
          outfile: join(project, file),
          bundle: true,
          format,
          platform: "node",
          logOverride: { "empty-import-meta": "silent" },
        });
      }

      const { statuses, rows } = JSON.parse(await runNode([file], project));

      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      expect(rows).toEqual(buildLedger().map(({ kind, id, level }) => [kind, id, level]));
    },
  );

  it("prints its version, and what it can do without an app", async () => {
    const project = await installPackage();
    const say = (...args: string[]) =>
      runNode(["node_modules/cometchat-functions/cli/bin.mjs", ...args], project);

    const [version, help] = await Promise.all([say("--version"), say("--help")]);

    const { version: packed } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(version).toBe(packed);
    expect(help).toMatch(/^Usage: cometchat-functions <command>[\s\S]*init \[folder\]/);
  });

  it("cannot import a module that is not an entry point", async () => {
    const project = await installPackage();
    const inside = "cometchat-functions/lib/chat/client.js";
    const ways = [
      ["--input-type=module", "-e", `await import("${inside}")`],
      ["-e", `require("${inside}")`],
    ];

    for (const args of ways)
      await expect(runNode(args, project)).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });
});
