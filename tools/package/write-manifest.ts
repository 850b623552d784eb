import * as z from "zod/mini";
import { doors, ownTools, packageDependencies } from "./doors.ts";

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
 * What is loaded for what it does, and what leads there; a bundler may drop any other file of which nothing is used. A pattern's
 * finder (lib/events/conditions/text-pattern.ts) is not among them: it is needed where a pattern is made, and is kept there.
 */
const sideEffects = [
  ...["flows", "platform", "testing"].map((door) => `./package/${door}.js`),
  "./package/*.cjs",
  "./lib/needs-node.js",
  "./cli/bin.mjs",
  "./build/install.mjs",
];

/** Writes the published package's manifest: what this repository's says, the doors, and what each kind of user has to install. */
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
      ...Object.fromEntries(doors.map((door) => [`./${door}`, entryOf(door)])),
      "./package.json": "./package.json",
    },
    // Compilers that do not look at `exports` (moduleResolution node10) read this one.
    typesVersions: { "*": Object.fromEntries(doors.map((door) => [door, [`./package/${door}.d.cts`]])) },
    dependencies: Object.fromEntries(
      packageDependencies.map((dependency) => [dependency, versions.get(dependency) ?? "*"]),
    ),
    // What fits an app is said by its own check, which knows what to type (build/check-app.ts): npm would refuse an update.
    peerDependencies: Object.fromEntries(peers.map(([peer]) => [peer, "*"])),
    peerDependenciesMeta: Object.fromEntries(peers.map(([peer]) => [peer, { optional: true }])),
    cometchatFunctions: { packages: packagesOfApp(peers, versions) },
  };
}

/** What an app has beside the package, with the versions that this repository has. */
function packagesOfApp(
  peers: readonly (readonly [string, string])[],
  versions: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const besides = ["typescript", "vitest"].map((tool) => [tool, versions.get(tool) ?? "*"] as const);
  return Object.fromEntries([...peers, ...besides].sort());
}

/** Each with types of its own: a declaration is one of a module of its own kind. */
function entryOf(door: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    import: { types: `./package/${door}.d.ts`, default: `./package/${door}.js` },
    require: { types: `./package/${door}.d.cts`, default: `./package/${door}.cjs` },
  };
}
