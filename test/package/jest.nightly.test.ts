import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { entryPoints } from "../../tools/package/entry-points.ts";
import { installPackage, packPackage } from "../helpers/packed-package.ts";

describe("the section of docs/webhook.md about Jest", { timeout: 900_000 }, () => {
  it("holds for every entry point with Node's modules in a context, and for the runs of docs/testing.md", async () => {
    const project = await installPackage({ besides: ["@aws/durable-execution-sdk-js"] });
    for (const file of ["as-jest.mjs", "runs-of-each-kind.mjs"])
      cpSync(join(import.meta.dirname, "consumers", file), join(project, file));
    const flags = ["--experimental-vm-modules", "--experimental-import-meta-resolve", "--no-warnings"];
    const load = async (door: string) => {
      const args = [...flags, "as-jest.mjs", door];
      return Number((await promisify(execFile)(process.execPath, args, { cwd: project })).stdout);
    };

    const doors = [...entryPoints.map((door) => `cometchat-functions/${door}`), "./runs-of-each-kind.mjs"];
    const loaded = await Promise.all(doors.map(async (door) => [door, (await load(door)) > 0]));

    expect(loaded).toEqual(doors.map((door) => [door, true]));
  });

  // A transform to CommonJS keeps import.meta, which is an error there.
  it("holds for the entry points that a transform to CommonJS loads", async () => {
    const { dist } = await packPackage();
    const usesMeta = async (door: string) => {
      const { metafile } = await build({
        entryPoints: [join(dist, `package/${door}.js`)],
        absWorkingDir: dist,
        bundle: true,
        metafile: true,
        packages: "external",
        format: "esm",
        platform: "node",
        treeShaking: false,
        write: false,
      });
      const files = Object.keys(metafile.inputs).map((file) => readFileSync(join(dist, file), "utf8"));
      return files.some((text) => /\bimport\.meta\b/.test(text));
    };

    const found = await Promise.all(["chat", "events", "triggers", "flows"].map(usesMeta));

    expect(found).toEqual([false, false, false, false]);
  });
});
