import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { OutputFile, Plugin } from "esbuild";
import type { Serverless } from "./serverless.ts";

export interface Bundling {
  /** All of `custom.esbuild` but `plugins`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A list relative to the service's folder, or a function of serverless. */
  readonly plugins?: string | undefined;
  /** Files relative to the service's folder; several functions may share one. */
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * A serverless plugin: bundles each function into its archive, with a source map. The same sources give the
 * same bytes, so an unchanged function is not deployed again.
 */
export default class BundleFunctions {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: Serverless) {
    const bundle = () => bundleFunctions(serverless);
    this.hooks = {
      "before:package:createDeploymentArtifacts": bundle,
      "before:deploy:function:packageFunction": bundle,
    };
  }
}

/** @throws Error if a function's file does not exist */
export function bundlingOf({ serviceDir, service }: Serverless): Bundling {
  const { plugins, ...options } = service.custom.esbuild;
  const entries = Object.entries(service.functions).map(([key, { handler }]) => {
    const entry = entryOf(serviceDir, handler);
    if (entry !== undefined) return [key, entry];
    throw new Error(`The function ${key}: there is no file for its handler "${handler}".`);
  });
  return { options, plugins, entries: Object.fromEntries(entries) };
}

const extensions = [".ts", ".js", ".jsx", ".tsx"];

/** Finds the file of `functions/own/notify.handler` in the service's folder; undefined if missing. */
export function entryOf(serviceFolder: string, handler: string): string | undefined {
  const path = handler.slice(0, handler.length - extname(handler).length);
  return extensions
    .flatMap((extension) => [`${path}${extension}`, `${path}/index${extension}`])
    .find((place) => existsSync(join(serviceFolder, place)));
}

/** Serverless expects the archives there. */
const archiveFolder = ".serverless";
/** Never written: source maps name sources relative to it. */
const outputFolder = join(".esbuild", ".build");

async function bundleFunctions(serverless: Serverless) {
  const { serviceDir, service } = serverless;
  const { options, plugins, entries } = bundlingOf(serverless);
  const outdir = join(serviceDir, outputFolder);
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: serviceDir,
    entryPoints: [...new Set(Object.values(entries))],
    outbase: serviceDir,
    outdir,
    plugins: plugins === undefined ? [] : await loadPlugins(plugins, serverless),
    write: false,
  });
  mkdirSync(join(serviceDir, archiveFolder), { recursive: true });
  for (const [key, entry] of Object.entries(entries)) {
    const bundle = join(outdir, entry.slice(0, -extname(entry).length));
    const files = outputFiles
      .filter(({ path }) => path.replace(/\.\w+(\.map)?$/, "") === bundle)
      .toReversed(); // esbuild names the map first
    const archive = join(archiveFolder, `${key}.zip`);
    writeFileSync(join(serviceDir, archive), await zip(files, outdir));
    const definition = service.functions[key];
    if (definition !== undefined) definition.package = { ...definition.package, artifact: archive };
  }
}

async function loadPlugins(file: string, serverless: Serverless) {
  const module: { readonly default: Plugin[] | ((serverless: Serverless) => Plugin[]) } = await import(
    pathToFileURL(join(serverless.serviceDir, file)).href
  );
  return typeof module.default === "function" ? module.default(serverless) : module.default;
}

async function zip(files: readonly OutputFile[], folder: string) {
  const { ZipFile } = await import("yazl");
  const archive = new ZipFile();
  for (const { path, contents } of files)
    archive.addBuffer(Buffer.from(contents), relative(folder, path).replaceAll(sep, "/"), unchanging);
  archive.end();
  return await buffer(archive.outputStream);
}

const unchanging = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
