import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { parseDocument } from "yaml";
import * as z from "zod/mini";

const settingsSchema = z.object({
  platform: z.literal("node"),
  target: z.string(),
  format: z.literal("esm"),
  mainFields: z.array(z.string()),
  banner: z.record(z.string(), z.string()),
});

const serviceSchema = z.object({ custom: z.object({ esbuild: settingsSchema }) });

/**
 * Bundles one function of a project as a deploy to a stage would, into one file that is its module.
 * @throws Error that names the place of each mistake, in code or in a file of config/
 */
export async function bundleFunction(options: {
  /** The folder of serverless.yml. */
  readonly projectFolder: string;
  /** Within it, such as `functions/process-events.ts`. */
  readonly file: string;
  readonly stage: string;
  readonly outFile: string;
}): Promise<void> {
  const { projectFolder, file, stage, outFile } = options;
  const text = await readFile(join(projectFolder, "serverless.yml"), "utf8");
  const { esbuild: settings } = serviceSchema.parse(
    parseDocument(text, { logLevel: "silent" }).toJS(),
  ).custom;
  // Loaded when something is bundled: few commands do.
  const [{ build }, plugins] = await Promise.all([import("esbuild"), readPlugins(stage)]);
  await build({
    ...settings,
    bundle: true,
    sourcemap: "inline",
    logLevel: "silent",
    entryPoints: [join(projectFolder, file)],
    outfile: outFile,
    plugins,
  });
}

async function readPlugins(stage: string): Promise<Plugin[]> {
  const module: { default: (serverless: object) => Plugin[] } = await import(
    new URL("./esbuild-plugins.mjs", import.meta.url).href
  );
  return module.default({ service: { provider: { stage } } });
}
