import own from "../../package.json" with { type: "json" };
import { appPackages, entryPoints, packageDependencies } from "./entry-points.ts";

/**
 * A bundler may drop others. lib/events/conditions/text-pattern.ts is missing: creating a pattern keeps it.
 */
const sideEffects = [
  ...["flows", "platform", "testing"].map((entry) => `./package/${entry}.js`),
  "./package/*.cjs",
  "./lib/base/needs-node.js",
  "./cli/bin.mjs",
  "./cli/end-with-parent.mjs",
  "./build/install.mjs",
];

export function writeManifest() {
  const { name, version, description, keywords, license, engines } = own;
  const known: Readonly<Record<string, string>> = { ...own.dependencies, ...own.devDependencies };
  const versionsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? "*"]));
  return {
    name,
    version,
    description,
    keywords,
    license,
    type: "module",
    bin: "cli/bin.mjs",
    engines,
    sideEffects,
    exports: {
      ...Object.fromEntries(entryPoints.map((entry) => [`./${entry}`, entryPathOf(entry)])),
      "./package.json": "./package.json",
    },
    // Serves moduleResolution node10, which ignores `exports`.
    typesVersions: {
      "*": Object.fromEntries(entryPoints.map((entry) => [entry, [`./package/${entry}.d.cts`]])),
    },
    dependencies: versionsOf(packageDependencies),
    // build/check-app.ts checks an app's versions; with ranges here npm would refuse an update.
    peerDependencies: Object.fromEntries(appPackages.map((peer) => [peer, "*"])),
    peerDependenciesMeta: Object.fromEntries(appPackages.map((peer) => [peer, { optional: true }])),
    cometchatFunctions: { packages: versionsOf([...appPackages, "typescript", "vitest"].sort()) },
  };
}

/** Each declaration belongs to one module kind. */
function entryPathOf(entry: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    import: { types: `./package/${entry}.d.ts`, default: `./package/${entry}.js` },
    require: { types: `./package/${entry}.d.cts`, default: `./package/${entry}.cjs` },
  };
}
