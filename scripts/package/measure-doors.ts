import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { doors, packageDependencies } from "./doors.ts";

/** What who imports a door gets with it. Sizes are those of bundles with its dependencies, minified, in bytes. */
export interface DoorMeasure {
  readonly door: string;
  /** Modules of this package that are loaded at once. */
  readonly modules: number;
  /** Packages that are loaded at once, sorted. */
  readonly atOnce: readonly string[];
  /** Packages that are loaded when something asks for them, sorted. */
  readonly onDemand: readonly string[];
  /** What is loaded at once. */
  readonly bytes: number;
  readonly gzipBytes: number;
  /** That, and what is loaded when something asks for it. */
  readonly wholeGzipBytes: number;
}

/** Measures each door of a built package. */
export async function measureDoors(dist: string): Promise<readonly DoorMeasure[]> {
  return Promise.all(
    doors.map(async (door) => {
      const [graph, sizes] = await Promise.all([
        bundle(dist, { entryPoints: [entryOf(dist, door)], packages: "external" }),
        measureParts(dist, entryOf(dist, door)),
      ]);
      return { door, ...loadedBy(graph.metafile), ...sizes };
    }),
  );
}

/** Measures a bundle of a module's text that imports doors as `./package/<door>.js`. */
export async function measureText(dist: string, text: string): Promise<{ bytes: number; gzipBytes: number }> {
  return measureBundle(dist, { stdin: { contents: text, resolveDir: dist, loader: "js" } });
}

/** Bundles a door twice: with what it loads at once, and with all that it may ask for. */
async function measureParts(
  dist: string,
  entry: string,
): Promise<Pick<DoorMeasure, "bytes" | "gzipBytes" | "wholeGzipBytes">> {
  const [atOnce, whole] = await Promise.all([
    measureBundle(dist, { entryPoints: [entry], plugins: [leaveForLater] }),
    measureBundle(dist, { entryPoints: [entry] }),
  ]);
  return { ...atOnce, wholeGzipBytes: whole.gzipBytes };
}

const leaveForLater: Plugin = {
  name: "leave-for-later",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

async function measureBundle(
  dist: string,
  entry: BuildOptions,
): Promise<{ bytes: number; gzipBytes: number }> {
  const { outputFiles } = await bundle(dist, { ...entry, minify: true, external: ["@aws/*", "@aws-sdk/*"] });
  const contents = outputFiles?.[0]?.contents ?? new Uint8Array();
  return { bytes: contents.length, gzipBytes: gzipSync(contents).length };
}

async function bundle(dist: string, options: BuildOptions) {
  return build({
    ...{ absWorkingDir: dist, bundle: true, format: "esm", platform: "node", target: "node20" },
    ...{ mainFields: ["module", "main"], logLevel: "error", write: false },
    // A place without packages of its own, such as a temporary folder, takes this repository's.
    nodePaths: [join(import.meta.dirname, "..", "..", "node_modules")],
    ...options,
    metafile: true,
  });
}

function loadedBy({ inputs, outputs }: Metafile): Pick<DoorMeasure, "modules" | "atOnce" | "onDemand"> {
  const [entry = ""] = Object.values(outputs).map(({ entryPoint = "" }) => entryPoint);
  const atOnce = walk(entry, inputs, (kind) => kind !== "dynamic-import");
  const ever = walk(entry, inputs, () => true);
  const isNew = (name: string) => !atOnce.packages.includes(name);
  return {
    modules: atOnce.modules,
    atOnce: atOnce.packages,
    onDemand: ever.packages.filter(isNew),
  };
}

function walk(
  entry: string,
  inputs: Metafile["inputs"],
  follow: (kind: string) => boolean,
): { modules: number; packages: readonly string[] } {
  const modules = new Set([entry]);
  const packages = new Set<string>();
  for (const path of modules) {
    for (const { path: to, kind, external } of inputs[path]?.imports ?? []) {
      if (!follow(kind)) continue;
      if (external !== true) modules.add(to);
      else if (!to.startsWith("node:")) packages.add(packageOf(to));
    }
  }
  return { modules: modules.size, packages: [...packages].sort() };
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Tells whether npm installs a package with this one. */
export function isInstalledWithIt(name: string): boolean {
  return packageDependencies.some((dependency) => dependency === name);
}

function entryOf(dist: string, door: string): string {
  return join(dist, "package", `${door}.js`);
}
