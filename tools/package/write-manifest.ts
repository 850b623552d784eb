import * as z from "zod/mini";
import { entryPoints, ownTools, packageDependencies } from "./entry-points.ts";

const versionsSchema = z.record(z.string(), z.string());
const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  dependencies: versionsSchema,
  devDependencies: versionsSchema,
});

/**
 * A bundler may drop any other unused file. lib/events/conditions/text-pattern.ts is missing: creating a
 * pattern imports and keeps it.
 */
const sideEffects = [
  ...["flows", "platform", "testing"].map((entry) => `./package/${entry}.js`),
  "./package/*.cjs",
  "./lib/base/needs-node.js",
  "./cli/bin.mjs",
  "./cli/end-with-parent.mjs",
  "./build/install.mjs",
];

export function writeManifest(own: unknown): Readonly<Record<string, unknown>> {
  const { name, version, description, keywords, license, engines, dependencies, devDependencies } =
    manifestSchema.parse(own);
  const versions = new Map(Object.entries({ ...dependencies, ...devDependencies }));
  const tools = new Set<string>([...packageDependencies, ...ownTools]);
  const peers = [...versions].filter(([dependency]) => !tools.has(dependency)).sort();
  return {
    ...{
      name,
      version,
      description,
      keywords,
      license,
      type: "module",
      bin: "cli/bin.mjs",
      engines,
      sideEffects,
    },
    exports: {
      ...Object.fromEntries(entryPoints.map((entry) => [`./${entry}`, entryPathOf(entry)])),
      "./package.json": "./package.json",
    },
    // For moduleResolution node10, which ignores `exports`.
    typesVersions: {
      "*": Object.fromEntries(entryPoints.map((entry) => [entry, [`./package/${entry}.d.cts`]])),
    },
    dependencies: Object.fromEntries(
      packageDependencies.map((dependency) => [dependency, versions.get(dependency) ?? "*"]),
    ),
    // build/check-app.ts checks an app's versions; with ranges here npm would refuse an update.
    peerDependencies: Object.fromEntries(peers.map(([peer]) => [peer, "*"])),
    peerDependenciesMeta: Object.fromEntries(peers.map(([peer]) => [peer, { optional: true }])),
    cometchatFunctions: { packages: packagesOfApp(peers, versions) },
  };
}

/** With this repository's versions. */
function packagesOfApp(
  peers: readonly (readonly [string, string])[],
  versions: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const besides = ["typescript", "vitest"].map((tool) => [tool, versions.get(tool) ?? "*"] as const);
  return Object.fromEntries([...peers, ...besides].sort());
}

/** A declaration belongs to one module kind. */
function entryPathOf(entry: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    import: { types: `./package/${entry}.d.ts`, default: `./package/${entry}.js` },
    require: { types: `./package/${entry}.d.cts`, default: `./package/${entry}.cjs` },
  };
}
