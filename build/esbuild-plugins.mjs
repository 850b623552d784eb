import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { configFileMeant } from "./config-modules.ts";
import { isPackage, packageFolder, packagePlaceOf } from "./folders.ts";

// @see docs/internals/decisions.md#bundler

/** Lets functions import the files of config/, checked at build time, for one stage. @param {string} stage */
const configFiles = (stage) => ({
  name: "config-files",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[/\\]config[/\\](?:app[/\\])?[^/\\]+\.yml$/ }, async ({ path }) => {
      try {
        // Imports late: this module awaits a file of the project.
        const { loadConfigFile } = await import("./load-config-file.ts");
        return { contents: await loadConfigFile(path, stage), loader: "js" };
      } catch (error) {
        return { errors: [{ text: error instanceof Error ? error.message : String(error) }] };
      }
    });
  },
});

/**
 * Resolves config/ and functions/own/ in the package's code to the app's files, or else the package's.
 * @param {string} projectFolder
 */
const filesOfApp = (projectFolder) => ({
  name: "files-of-app",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /(^|\/)(config\/.+\.yml(\.js)?|own\/[\w-]+\.js)$/ }, ({ path, resolveDir }) => {
      if (!`${resolveDir}${sep}`.startsWith(packageFolder + sep)) return;
      const configFile = configFileMeant(path, resolveDir, projectFolder);
      if (configFile !== undefined) return { path: configFile };
      const named = relative(packageFolder, resolve(resolveDir, path)).replaceAll(sep, "/");
      const own = join(projectFolder, named.replace(/\.js$/, ".ts"));
      return named.startsWith("functions/own/") && existsSync(own) ? { path: own } : undefined;
    });
  },
});

/**
 * Bundles the package's functions at the paths of serverless.yml even if node_modules links to the package:
 * at its target, a bundle would be outside the packaged folder.
 * @param {string} projectFolder
 */
const functionsBehindLink = (projectFolder) => ({
  name: "functions-behind-link",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const place = join(projectFolder, packagePlaceOf(projectFolder), "functions", sep);
    if (realpathSync(place) === resolve(place)) return;
    build.onResolve({ filter: /\.js$/ }, ({ path, kind }) => {
      const file = resolve(projectFolder, path);
      return kind === "entry-point" && file.startsWith(place) ? { path: file } : undefined;
    });
    build.onLoad({ filter: /[/\\]functions[/\\][\w-]+\.js$/ }, async ({ path }) => {
      if (!path.startsWith(place)) return;
      return {
        contents: await readFile(path, "utf8"),
        loader: "js",
        resolveDir: dirname(realpathSync(path)),
      };
    });
  },
});

const loadedWhenCalled = /^(node:)?(crypto|zlib)$/;

/**
 * Replaces imports of Node's modules by calls: `import` reads every export, and reading creates some: all of
 * `fetch`, all of WebCrypto (docs/internals/performance.md).
 */
const nodeModules = {
  name: "node-modules",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path) || kind === "dynamic-import") return;
      const isLazy = kind === "import-statement" && loadedWhenCalled.test(path);
      return { path, namespace: isLazy ? "node-when-called" : "node" };
    });
    build.onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
    build.onLoad({ filter: /.*/, namespace: "node-when-called" }, ({ path }) => ({
      contents: forwardingModule(path),
      loader: "js",
    }));
  },
};

/** Functions load the Node module when called, other exports when imported. @param {string} id */
function forwardingModule(id) {
  const load = `process.getBuiltinModule(${JSON.stringify(id)})`;
  const values = process.getBuiltinModule(id) ?? {};
  const lines = Object.keys(values).map((name) =>
    typeof values[name] === "function" && /^[a-z]/.test(name)
      ? `export const ${name} = (...args) => ${load}.${name}(...args);`
      : `export const ${name} = /* @__PURE__ */ (() => ${load}.${name})();`,
  );
  return [...lines, `export default /* @__PURE__ */ (() => ${load})();`].join("\n");
}

/**
 * Removes the durable SDK's default Lambda client; the flows function passes its own, a sixth of the size
 * (docs/internals/decisions.md#flows).
 */
const ownDurableClient = {
  name: "own-durable-client",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\/client-lambda$/ }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not in the bundle.`)});`,
      loader: "js",
    }));
  },
};

/** @param {{ serviceDir: string, service: { provider: { stage: string } } }} serverless */
export default ({ serviceDir, service }) => [
  ...(isPackage ? [filesOfApp(serviceDir), functionsBehindLink(serviceDir)] : []),
  configFiles(service.provider.stage),
  nodeModules,

  ownDurableClient,
];
