import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import * as z from "zod/mini";
import { packageDependencies } from "../../../tools/package/entry-points.ts";

const root = join(import.meta.dirname, "..", "..", "..");

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      dependencies: z.optional(z.record(z.string(), z.string())),
      peerDependencies: z.optional(z.record(z.string(), z.string())),
      peerDependenciesMeta: z.optional(z.record(z.string(), z.object({ optional: z.optional(z.boolean()) }))),
    }),
  ),
});

/** What a program that imports something comes to. */
interface Size {
  /** Bytes, minified for Node. */
  readonly minified: number;
  /** Bytes of that, gzipped. */
  readonly zipped: number;
  /** The packages that are part of it. */
  readonly packages: readonly string[];
}

/** Tells the size of what imports this and nothing else. */
export async function sizeOf(source: string): Promise<Size> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    write: false,
    metafile: true,
    logLevel: "silent",
    absWorkingDir: root,
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const packages = Object.keys(metafile.inputs).flatMap(
    (input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
  );
  return {
    minified: contents.length,
    zipped: gzipSync(contents).length,
    packages: [...new Set(packages)].toSorted(),
  };
}

/** Counts the packages that come along with some, as the lock file has them; they themselves are not counted. */
export function countInstalled(names: readonly string[]): number {
  const { packages } = lockSchema.parse(read("package-lock.json"));
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const nested = `${from}/node_modules/${name}`;
    const at = nested in packages ? nested : `node_modules/${name}`;
    if (found.has(at) || !(at in packages)) return;
    found.add(at);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[at] ?? {};
    const peers = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true,
    );
    for (const dependency of [...Object.keys(dependencies), ...peers]) visit(dependency, at);
  };
  for (const name of names) visit(name, "");
  return found.size - names.filter((name) => `node_modules/${name}` in packages).length;
}

/** Counts the packages that come along with this one: what it depends on, and what that depends on. */
export function countOwnInstalled(): number {
  return packageDependencies.length + countInstalled(packageDependencies);
}

const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  devDependencies: z.optional(z.record(z.string(), z.string())),
});

/** Reads what an installed package says of itself. */
export function manifestOf(name: string): z.infer<typeof manifestSchema> {
  return manifestSchema.parse(read(`node_modules/${name}/package.json`));
}

/** Tells whether `require` finds a package, as CommonJS code would write it. */
export function canBeRequired(name: string): boolean {
  try {
    createRequire(join(root, "package.json"))(name);
    return true;
  } catch {
    return false;
  }
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
