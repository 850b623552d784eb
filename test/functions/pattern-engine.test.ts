import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { projectFolder, readEsbuildSettings } from "../bench/esbuild-settings.ts";

const functions = readdirSync(join(projectFolder, "functions")).filter((file) => file.endsWith(".ts"));

describe("the engine of patterns", () => {
  it("is in the bundles of the functions that answer questions, and in no other", async () => {
    const { settings, plugins } = await readEsbuildSettings();

    const { metafile } = await build({
      ...settings,
      entryPoints: functions.map((file) => join("functions", file)),
      absWorkingDir: projectFolder,
      outdir: "out",
      plugins,
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const carriers = Object.values(metafile.outputs)
      .filter(({ inputs }) => Object.keys(inputs).some((input) => input.includes("node_modules/re2js/")))
      .map(({ entryPoint }) => entryPoint);

    expect(carriers.toSorted()).toEqual(["functions/before-message.ts", "functions/moderation.ts"]);
  });
});
