import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { BenchCase } from "./cases.ts";
import { projectFolder, readEsbuildSettings } from "./esbuild-settings.ts";

export interface Bundle {
  readonly file: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** Bundles every case into `folder`, as serverless.yml bundles the deployed functions. */
export async function bundleCases(
  cases: readonly BenchCase[],
  folder: string,
): Promise<ReadonlyMap<string, Bundle>> {
  const { settings, plugins } = await readEsbuildSettings();
  const bundles = new Map<string, Bundle>();
  for (const { name, source, isOurs } of cases) {
    const file = join(folder, `${name}.mjs`);
    await build({
      ...settings,
      absWorkingDir: projectFolder,
      entryPoints: [source],
      outfile: file,
      logLevel: "error",
      plugins: isOurs ? plugins : [],
    });
    const content = await readFile(file);
    bundles.set(name, {
      file,
      bytes: content.length,
      gzipBytes: gzipSync(content, { level: 9 }).length,
    });
  }
  return bundles;
}
