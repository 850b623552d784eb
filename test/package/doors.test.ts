import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { doorTable, uses, useTable } from "../../scripts/package/door-tables.ts";
import { doors } from "../../scripts/package/doors.ts";
import { type DoorMeasure, measureDoors, measureText } from "../../scripts/package/measure-doors.ts";
import { installPackage, unpackPackage } from "../helpers/packed-package.ts";

const root = join(import.meta.dirname, "../..");

/** What are-the-types-wrong answers with, as far as it is read here. */
const attwAnswer = z.object({
  analysis: z.object({
    problems: z.array(z.unknown()),
    entrypoints: z.record(
      z.string(),
      z.object({ resolutions: z.record(z.string(), z.object({ resolution: z.optional(z.unknown()) })) }),
    ),
  }),
});

let folder: string;
let measures: readonly DoorMeasure[];

beforeAll(async () => {
  folder = await unpackPackage();
  measures = await measureDoors(folder);
}, 900_000);

/** Bundles a module that imports a door, and tells which of the package's modules have something in the bundle. */
async function modulesOf(text: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: text, resolveDir: folder },
    absWorkingDir: folder,
    ...{ bundle: true, packages: "external", format: "esm", platform: "node", write: false, metafile: true },
  });
  const inputs = Object.values(metafile.outputs)[0]?.inputs ?? {};
  return Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0);
}

describe("the doors of the packed file", { timeout: 900_000 }, () => {
  it("have nothing that publint finds wrong", async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });

    const told = messages.map(({ code, args }) => [code, args]);

    // A new app's first tests are no tests of this package.
    const first = ["missed-call", "tell-user"].map((name) => `/package/template/test/${name}.test.ts`);
    const suggested = { internalFilePaths: first };
    expect(told).toEqual([["USE_FILES", suggested]]);
  });

  it("have nothing that are-the-types-wrong finds wrong, in any way of resolving", async () => {
    const attw = join(root, "node_modules/.bin/attw");

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [attw, "--pack", ".", "--format", "json"],
      {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
      },
    );

    const { analysis } = attwAnswer.parse(JSON.parse(stdout));
    expect(analysis.problems).toEqual([]);
    const resolved = Object.values(analysis.entrypoints).map(({ resolutions }) => resolutions);
    expect(resolved).toHaveLength(doors.length + 1);
    for (const resolutions of resolved) {
      expect(Object.keys(resolutions).sort()).toEqual(["bundler", "node10", "node16-cjs", "node16-esm"]);
      expect(Object.values(resolutions).filter(({ resolution }) => resolution === undefined)).toEqual([]);
    }
  });

  it.each([
    ["chat", 40],
    ["events", 23],
    ["webhook", 42],
    ["triggers", 80],
    ["flows", 8.5],
    ["functions", 38],
    ["platform", 135],
    ["testing", 12],
  ])("load /%s in at most %s kB, compressed", (door, most) => {
    const measure = measures.find((one) => one.door === door);

    expect(measure?.gzipBytes).toBeLessThan(most * 1_000);
  });

  it("load in the end, where everything is asked for, at most 470 kB, compressed", () => {
    const most = Math.max(...measures.map(({ wholeGzipBytes }) => wholeGzipBytes));

    expect(most).toBeLessThan(470_000);
  });

  it.each([
    ["a client for messages only", 21],
    ["the client with every family", 34],
    ["the parser of events", 21],
    ["a receiver with a store of one's own", 30],
    ["a trigger", 8.5],
    ["a trigger with a pattern", 58],
  ] as const)("give %s in at most %s kB, compressed", async (use, most) => {
    const { gzipBytes } = await measureText(folder, uses[use]);

    expect(gzipBytes).toBeLessThan(most * 1_000);
  });

  it("have a limit each, above, and each use as well", () => {
    const source = readFileSync(import.meta.filename, "utf8");

    const unlimited = [...doors, ...Object.keys(uses)].filter((name) => !source.includes(`["${name}", `));

    expect(unlimited).toEqual([]);
  });

  it("are as docs/package.md tells, sizes to within a tenth (node scripts/package/write-door-tables.ts writes them)", async () => {
    const page = readFileSync(join(root, "docs/package.md"), "utf8");
    const kB = /[\d.]+ kB/g;
    const tables = [doorTable(measures), await useTable(folder)];
    // Modules are counted for the reader: one more or less changes nothing for him.
    const wordsOf = (table: string) => table.replace(kB, "kB").replace(/\| \d+ \|/g, "| n |");

    const told = tables.map((table) => {
      const [head = ""] = table.split("\n");
      return page.slice(page.indexOf(head)).split("\n").slice(0, table.split("\n").length).join("\n");
    });

    const sizesOf = (table: string) => [...table.matchAll(kB)].map(([size]) => Number.parseFloat(size));
    expect(told.map(wordsOf)).toEqual(tables.map(wordsOf));
    const factors = tables.flatMap((table, at) =>
      sizesOf(told[at] ?? "").map((size, index) => size / (sizesOf(table)[index] ?? 0)),
    );
    expect(factors.filter((factor) => factor < 0.9 || factor > 1.1)).toEqual([]);
  });

  it.each(doors)("load for /%s the packages that docs/package.md names, and no others", async (door) => {
    const project = await installPackage();
    const source = `
        import { registerHooks } from "node:module";
        const packages = new Set();
        registerHooks({ load(url, context, next) {
          const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
          if (name !== undefined) packages.add(name);
          return next(url, context);
        } });
        await import("cometchat-functions/${door}");
        console.log(JSON.stringify([...packages].sort()));
      `;

    const args = ["--input-type=module", "-e", source];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project });

    const named = measures.find((one) => one.door === door)?.atOnce ?? [];
    expect(JSON.parse(stdout)).toEqual(["cometchat-functions", ...named].toSorted());
  });

  it("load nothing of AWS at once", () => {
    const [first] = measures.filter(({ atOnce }) => atOnce.some((name) => name.startsWith("@aws")));

    expect(first).toBeUndefined();
  });

  it("keep in a bundle what says which Node is needed", async () => {
    const modules = await modulesOf('export { defineFlow } from "./package/flows.js";');

    expect(modules).toContain("lib/needs-node.js");
  });

  it("keep in a bundle what finds patterns where one is made, and nowhere else", async () => {
    const pattern = await modulesOf('export { textPattern } from "./package/triggers.js";');
    const plain = await modulesOf('export { onTrigger } from "./package/triggers.js";');

    expect(pattern).toEqual(
      expect.arrayContaining(["lib/triggers/text-pattern.js", "lib/triggers/patterns.js"]),
    );
    expect(plain.filter((file) => /text-pattern|compile-pattern/.test(file))).toEqual([]);
  });

  it("leave a client's other families out of a bundle", async () => {
    const modules = await modulesOf(uses["a client for messages only"]);

    expect(
      modules.filter((file) => /campaigns|management|notifications|resources\/(?!message)/.test(file)),
    ).toEqual([]);
  });
});
