import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const doors = ["chat", "events", "webhook", "triggers", "functions"];

describe("the entry points for Node 20.19", () => {
  it("use only features of its language and its types", () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");

    const compile = () => execFileSync(process.execPath, [tsc, "-p", "tsconfig.node20.json"], { cwd: root });

    expect(compile).not.toThrow();
  });

  // Types of Node 20 that promise more than it has.
  it("call nothing that its types promise but that it lacks", async () => {
    const { metafile } = await build({
      entryPoints: doors.map((door) => join(root, `package/${door}.ts`)),
      bundle: true,
      packages: "external",
      external: ["*.yml"],
      format: "esm",
      platform: "node",
      write: false,
      metafile: true,
      outdir: "unused",
    });

    const files = Object.keys(metafile.inputs).filter((file) =>
      /URL\.parse\(|URLPattern|new WebSocket\(/.test(readFileSync(file, "utf8")),
    );

    expect(Object.keys(metafile.inputs).length).toBeGreaterThan(100);
    expect(files).toEqual([]);
  });
});
