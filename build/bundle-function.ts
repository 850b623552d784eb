import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { parseDocument } from "yaml";
import * as z from "zod/mini";
import { shippedFile } from "./folders.ts";

const settingsSchema = z.object({
  platform: z.literal("node"),
  target: z.string(),
  format: z.literal("esm"),
  mainFields: z.array(z.string()),
  banner: z.record(z.string(), z.string()),
});

const serviceSchema = z.object({ custom: z.object({ esbuild: settingsSchema }) });

/** @throws Error that names the place of each mistake, in code or in a file of config/ */
export async function bundleFunction(options: {
  readonly projectFolder: string;
  readonly file: string;
  readonly stage: string;
  readonly outFile: string;
}): Promise<void> {
  const { projectFolder, file, stage, outFile } = options;
  const settings = await readSettings(projectFolder);
  const [{ build }, plugins] = await Promise.all([import("esbuild"), readPlugins(projectFolder, stage)]);
  await build({
    ...settings,
    bundle: true,
    sourcemap: "inline",
    logLevel: "silent",
    entryPoints: [shippedFile(projectFolder, file)],
    outfile: outFile,
    plugins,
  });
}

async function readSettings(projectFolder: string) {
  const files = [join(projectFolder, "serverless.yml"), shippedFile(projectFolder, "serverless.yml")];
  const [own, shipped] = await Promise.all(
    files.map(async (file) => parseDocument(await readFile(file, "utf8"), { logLevel: "silent" }).toJS()),
  );
  return (serviceSchema.safeParse(own).data ?? serviceSchema.parse(shipped)).custom.esbuild;
}

async function readPlugins(projectFolder: string, stage: string) {
  const module: { default: (serverless: object) => Plugin[] } = await import(
    new URL("./esbuild-plugins.mjs", import.meta.url).href
  );
  return module.default({ serviceDir: projectFolder, service: { provider: { stage } } });
}
