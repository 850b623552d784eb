import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { entryPoints } from "../../tools/package/entry-points.ts";
import { installPackage, packPackage } from "../helpers/packed-package.ts";

describe("what docs/webhook.md says of Jest", { timeout: 900_000 }, () => {
  it("loads every entry point with Node's modules in a context", async () => {
    const project = await installPackage();
    cpSync(join(import.meta.dirname, "consumers/as-jest.mjs"), join(project, "as-jest.mjs"));
    const flags = ["--experimental-vm-modules", "--experimental-import-meta-resolve", "--no-warnings"];
    const load = async (door: string) => {
      const args = [...flags, "as-jest.mjs", `cometchat-functions/${door}`];
      return Number((await promisify(execFile)(process.execPath, args, { cwd: project })).stdout);
    };

    const loaded = await Promise.all(entryPoints.map(async (door) => [door, (await load(door)) > 0]));

    expect(loaded).toEqual(entryPoints.map((door) => [door, true]));
  });

  // A transform to CommonJS leaves import.meta, which is an error there.
  it("is true of the entry points that a transform to CommonJS loads", async () => {
    const { dist } = await packPackage();
    const usesMeta = async (door: string) => {
      const { metafile } = await build({
        ...{
          entryPoints: [join(dist, `package/${door}.js`)],
          absWorkingDir: dist,
          bundle: true,
          metafile: true,
        },
        ...{ packages: "external", format: "esm", platform: "node", treeShaking: false, write: false },
      });
      const files = Object.keys(metafile.inputs).map((file) => readFileSync(join(dist, file), "utf8"));
      return files.some((text) => /\bimport\.meta\b/.test(text));
    };

    const found = await Promise.all(["chat", "events", "triggers", "flows"].map(usesMeta));

    expect(found).toEqual([false, false, false, false]);
  });
});
