import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import * as z from "zod/mini";
import { createBenchEvent } from "./bench-event.ts";
import { projectFolder, readEsbuildSettings } from "./esbuild-settings.ts";

const rangeSchema = z.object({ startOffset: z.number(), count: z.number() });
const functionSchema = z.object({ functionName: z.string(), ranges: z.array(rangeSchema) });
const coverageSchema = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(functionSchema) })),
});

/** Counts the project's files that the consumer loads to answer one greeting, and those that run. */
export async function countFiles(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ loaded: number; executed: number }> {
  const { settings, plugins } = await readEsbuildSettings();
  const file = join(folder, "greeting.mjs");
  await build({
    ...settings,
    minify: false, // keeps the comment with each file's name, which the counts are read from
    absWorkingDir: projectFolder,
    entryPoints: ["functions/process-events.ts"],
    outfile: file,
    logLevel: "error",
    plugins,
  });
  const coverage = join(folder, "coverage");
  await mkdir(coverage);
  const event = createBenchEvent("queue-reply");
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, "sample.mjs"), file, "0"], {
    env: { ...environment, BENCH_EVENT: JSON.stringify(event), NODE_V8_COVERAGE: coverage },
  });
  const names = [...(await readFile(file, "utf8")).matchAll(/^\s*\/\/ ((?:functions|lib)\/\S+\.ts)$/gm)];
  const [report = ""] = await readdir(coverage);
  const { result } = coverageSchema.parse(JSON.parse(await readFile(join(coverage, report), "utf8")));
  const ran = result
    .filter(({ url }) => url.endsWith("/greeting.mjs"))
    .flatMap(({ functions }) => functions)
    .flatMap(({ functionName, ranges: [whole] }) =>
      functionName !== "" && whole !== undefined && whole.count > 0 ? [whole.startOffset] : [],
    )
    .map((offset) => names.findLast(({ index }) => index < offset)?.[1]);
  return {
    loaded: new Set(names.map(([, name]) => name)).size,
    executed: new Set(ran.filter((name) => name !== undefined)).size,
  };
}
