import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { BuildContext, BuildOptions, BuildResult, Message, Metafile, Plugin } from "esbuild";
import * as z from "zod/mini";
import { esbuildColumn } from "../../../build/esbuild-column.ts";
import type { Bundle, Bundled, BundleOrder, Bundling, Problem } from "./bundling.ts";
import { readProblems } from "./problem.ts";

export interface BundleMakerOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** The folder that the bundles' maps are written for: others in its place must lie beside it. */
  readonly taskRoot: string;
  readonly bundling: Bundling;
  /** Gives esbuild's plugins as they are now. */
  loadPlugins(): Promise<Plugin[]>;
}

/** Bundles functions as serverless-esbuild would for a deployment, byte for byte. */
export interface BundleMaker {
  /** Bundles; of several at once, those that can be. Never rejects for a mistake in the code. */
  bundle(order: BundleOrder): Promise<Bundled>;
  /** Loads esbuild and the plugins. */
  prepare(): Promise<void>;
  /** Bundles from the very beginning the next time, with the plugins as they are then. */
  forget(): Promise<void>;
}

/** Makes such a bundler. Nothing is loaded before it is first used. */
export function createBundleMaker(options: BundleMakerOptions): BundleMaker {
  const { serviceFolder, taskRoot, bundling, loadPlugins } = options;
  const contexts = new Map<string, Promise<BuildContext>>();
  let plugins: Promise<Plugin[]> | undefined;
  const settingsFor = async (entries: readonly string[]) => {
    plugins ??= loadPlugins();
    return {
      ...bundling.options,
      absWorkingDir: serviceFolder,
      entryPoints: [...entries],
      outbase: serviceFolder,
      outdir: taskRoot,
      plugins: await plugins,
      metafile: true,
      write: false,
      logLevel: "silent",
    } satisfies BuildOptions;
  };
  const contextOf = (entry: string) => {
    const made =
      contexts.get(entry) ??
      Promise.all([import("esbuild"), settingsFor([entry])]).then(([{ context }, settings]) =>
        context(settings),
      );
    contexts.set(entry, made);
    return made;
  };
  const build = async (entries: readonly string[], isRepeated: boolean) => {
    const [first] = entries;
    if (isRepeated && entries.length === 1 && first !== undefined)
      return await (await contextOf(first)).rebuild();
    const [{ build: buildOnce }, settings] = await Promise.all([import("esbuild"), settingsFor(entries)]);
    return await buildOnce(settings);
  };
  const bundle = async (order: BundleOrder): Promise<Bundled> => {
    const { entries, isRepeated } = order;
    try {
      const result = await build(entries, isRepeated);
      return { bundles: entries.map((entry) => take(entry, result, order, options)), failed: [] };
    } catch (error) {
      const [entry, ...others] = entries;
      if (entry !== undefined && others.length === 0)
        return { bundles: [], failed: [{ entry, problems: problemsOf(error, serviceFolder) }] };
      // One mistake ends all: each alone tells which it is.
      const each: Bundled[] = [];
      for (const one of entries) each.push(await bundle({ ...order, entries: [one] }));
      return {
        bundles: each.flatMap(({ bundles }) => bundles),
        failed: each.flatMap(({ failed }) => failed),
      };
    }
  };
  return {
    bundle,
    async prepare() {
      const [{ transform }] = await Promise.all([import("esbuild"), settingsFor([])]);
      await transform(""); // starts esbuild itself
    },
    async forget() {
      plugins = undefined;
      const made = [...contexts.values()];
      contexts.clear();
      for (const one of made)
        await one.then(
          (context) => context.dispose(),
          () => {},
        );
    },
  };
}

/** Writes what is new of an entry's output. */
function take(
  entry: string,
  { outputFiles = [], metafile = { inputs: {}, outputs: {} } }: BuildResult,
  { folder, known }: BundleOrder,
  { taskRoot, serviceFolder }: BundleMakerOptions,
): Bundle {
  const [name] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (name === undefined) throw new Error(`esbuild made no bundle of ${entry}.`);
  const own = join(serviceFolder, name);
  const files: Record<string, string> = {};
  let isChanged = false;
  for (const { path, contents } of outputFiles) {
    if (path !== own && path !== `${own}.map`) continue;
    const place = relative(taskRoot, path).replaceAll(sep, "/");
    const digest = createHash("sha256").update(contents).digest("hex");
    files[place] = digest;
    if (known[place] === digest) continue;
    isChanged = true;
  }
  if (isChanged) {
    for (const { path, contents } of outputFiles) {
      const place = relative(taskRoot, path).replaceAll(sep, "/");
      if (files[place] === undefined) continue;
      mkdirSync(dirname(join(folder, place)), { recursive: true });
      writeFileSync(join(folder, place), contents);
    }
  }
  return { entry, files, isChanged, inputs: inputsOf(entry, metafile) };
}

/** Follows an entry's imports; esbuild tells them of all entries together. */
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
  if (!parsed.success)
    return readProblems(
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      serviceFolder,
    );
  return parsed.data.errors.flatMap(({ text, location }) => {
    if (location === null) return readProblems(text, serviceFolder);
    const told = readProblems(text, serviceFolder);
    // A file of config/ names its own places; the bundler knows only who imports it.
    if (told.some(({ line }) => line !== undefined)) return told;
    const { file, line, lineText } = location;
    return [{ text, file, line, column: esbuildColumn(location), lineText }];
  });
}
