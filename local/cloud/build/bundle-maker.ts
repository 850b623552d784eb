import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { BuildContext, BuildOptions, BuildResult, Message, Metafile, Plugin } from "esbuild";
import * as z from "zod/mini";
import { esbuildColumn } from "../../../build/describe-build-failure.ts";
import type { BundlerData } from "./bundler.ts";
import type { Bundle, Bundled, BundleOrder, Problem } from "./bundling.ts";
import { isEsbuildGone } from "./esbuild-gone.ts";
import { readProblems } from "./problem.ts";

/** Bundles functions exactly as for a deployment (build/bundle-functions.ts). */
export class BundleMaker {
  readonly #data: BundlerData;
  readonly #loadPlugins: () => Promise<Plugin[]>;
  readonly #contexts = new Map<string, Promise<BuildContext>>();
  #plugins: Promise<Plugin[]> | undefined;

  constructor(data: BundlerData, loadPlugins: () => Promise<Plugin[]>) {
    this.#data = data;
    this.#loadPlugins = loadPlugins;
  }

  async bundle(order: BundleOrder): Promise<Bundled> {
    const { entries, isRepeated } = order;
    const [entry = ""] = entries;
    try {
      const result = isRepeated ? await (await this.#contextOf(entry)).rebuild() : await this.#build(entries);
      return { bundles: entries.map((one) => take(one, result, order, this.#data)), failed: [] };
    } catch (error) {
      if (isEsbuildGone(String(error))) throw error;
      if (entries.length === 1) {
        return { bundles: [], failed: [{ entry, problems: problemsOf(error, this.#data.serviceFolder) }] };
      }
      const bundles: Bundle[] = [];
      const failed: Bundled["failed"][number][] = [];
      for (const one of entries) {
        const alone = await this.bundle({ ...order, entries: [one] });
        bundles.push(...alone.bundles);
        failed.push(...alone.failed);
      }
      return { bundles, failed };
    }
  }

  async prepare(): Promise<void> {
    const [{ transform }] = await Promise.all([import("esbuild"), this.#settingsFor([])]);
    await transform("");
  }

  async #build(entries: readonly string[]): Promise<BuildResult> {
    const [{ build }, settings] = await Promise.all([import("esbuild"), this.#settingsFor(entries)]);
    return await build(settings);
  }

  #contextOf(entry: string): Promise<BuildContext> {
    const create = async () => {
      const [{ context }, settings] = await Promise.all([import("esbuild"), this.#settingsFor([entry])]);
      return await context(settings);
    };
    const context = this.#contexts.get(entry) ?? create();
    this.#contexts.set(entry, context);
    return context;
  }

  async #settingsFor(entries: readonly string[]) {
    const { serviceFolder, taskRoot, bundling } = this.#data;
    this.#plugins ??= this.#loadPlugins();
    return {
      ...bundling.options,
      absWorkingDir: serviceFolder,
      entryPoints: [...entries],
      outbase: serviceFolder,
      outdir: taskRoot,
      plugins: await this.#plugins,
      metafile: true,
      write: false,
      logLevel: "silent",
    } satisfies BuildOptions;
  }
}

function take(
  entry: string,
  { outputFiles = [], metafile = { inputs: {}, outputs: {} } }: BuildResult,
  { folder, known }: BundleOrder,
  { taskRoot, serviceFolder }: BundlerData,
): Bundle {
  const [name] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (name === undefined) throw new Error(`esbuild made no bundle of ${entry}.`);
  const bundle = join(serviceFolder, name);
  const own = outputFiles
    .filter(({ path }) => path === bundle || path === `${bundle}.map`)
    .map(({ path, contents }) => ({ place: relative(taskRoot, path).replaceAll(sep, "/"), contents }));
  const files = Object.fromEntries(own.map(({ place, contents }) => [place, hash("sha256", contents)]));
  const isChanged = Object.entries(files).some(([place, digest]) => known[place] !== digest);
  for (const { place, contents } of isChanged ? own : []) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), contents);
  }
  return { entry, files, isChanged, inputs: inputsOf(entry, metafile) };
}

function inputsOf(entry: string, { inputs }: Metafile): string[] {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path } of inputs[file]?.imports ?? []) if (inputs[path] !== undefined) found.add(path);
  }
  return [...found];
}

const failureSchema = z.object({ errors: z.array(z.custom<Message>((value) => typeof value === "object")) });

function problemsOf(error: unknown, serviceFolder: string): Problem[] {
  const parsed = failureSchema.safeParse(error);
  if (!parsed.success) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return readProblems(text, serviceFolder);
  }
  return parsed.data.errors.flatMap(({ text, location }) => {
    const problems = readProblems(text, serviceFolder);
    if (location === null || problems.some(({ line }) => line !== undefined)) return problems;
    const { file, line, lineText } = location;
    return [{ text, file, line, column: esbuildColumn(location), lineText }];
  });
}
