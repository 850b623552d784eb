import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { parseDocument } from "yaml";
import * as z from "zod/mini";

export const projectFolder = join(import.meta.dirname, "..", "..");

const settingsSchema = z.object({
  bundle: z.literal(true),
  minify: z.boolean(),
  platform: z.literal("node"),
  target: z.string(),
  format: z.literal("esm"),
  mainFields: z.array(z.string()),
  banner: z.record(z.string(), z.string()),
});

const serviceSchema = z.object({ custom: z.object({ esbuild: z.looseObject({ plugins: z.string() }) }) });

/** Reads from serverless.yml how deployed functions are bundled, to measure what is shipped. */
export async function readEsbuildSettings(): Promise<{ settings: BuildOptions; plugins: Plugin[] }> {
  const text = await readFile(join(projectFolder, "serverless.yml"), "utf8");
  const service = serviceSchema.parse(parseDocument(text, { logLevel: "silent" }).toJS());
  const { plugins } = await import(join(projectFolder, service.custom.esbuild.plugins)).then(
    (module: { default: (serverless: object) => Plugin[] }) => ({
      plugins: module.default({ service: { provider: { stage: "local" } } }),
    }),
  );
  return { settings: settingsSchema.parse(service.custom.esbuild), plugins };
}
