import { join } from "node:path";
import { build } from "esbuild";
import type { BenchCase } from "./cases.ts";
import { projectFolder, readEsbuildSettings } from "./esbuild-settings.ts";

/** Bundles every case into `folder`, as serverless.yml bundles the deployed functions. Returns the file of each. */
export async function bundleCases(
  cases: readonly BenchCase[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const { settings, plugins } = await readEsbuildSettings();
  const files = new Map<string, string>();
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
    files.set(name, file);
  }
  return files;
}
