// Loads modules as Jest does with --experimental-vm-modules: in their own context, linked by the loader.
import { readFileSync } from "node:fs";
import { findPackageJSON, isBuiltin } from "node:module";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

// As Jest's environment for Node.
const names = Object.getOwnPropertyNames(globalThis).filter(
  (name) => !(name in vm.runInNewContext("globalThis")),
);
const context = vm.createContext(Object.fromEntries(names.map((name) => [name, globalThis[name]])));
const modules = new Map();

function load(url) {
  const known = modules.get(url);
  if (known !== undefined) return known;
  const loading = isEsModule(url) ? makeModule(url) : makeNamespace(url);
  modules.set(url, loading);
  return loading;
}

function isEsModule(url) {
  if (!url.startsWith("file:") || url.endsWith(".cjs")) return false;
  if (url.endsWith(".mjs")) return true;
  return JSON.parse(readFileSync(findPackageJSON(url), "utf8")).type === "module";
}

async function makeNamespace(url) {
  const namespace = await import(url);
  const exported = Object.keys(namespace);
  return new vm.SyntheticModule(
    exported,
    function () {
      for (const name of exported) this.setExport(name, namespace[name]);
    },
    { context, identifier: url },
  );
}

async function makeModule(url) {
  return new vm.SourceTextModule(readFileSync(fileURLToPath(url), "utf8"), {
    context,
    identifier: url,
    initializeImportMeta: (meta) => {
      Object.assign(meta, { url, filename: fileURLToPath(url), dirname: dirname(fileURLToPath(url)) });
    },
    importModuleDynamically: async (specifier) => await evaluated(resolve(specifier, url)),
  });
}

function resolve(specifier, parent) {
  return isBuiltin(specifier) ? specifier : import.meta.resolve(specifier, parent);
}

async function evaluated(url) {
  const module = await load(url);
  if (module.status === "unlinked")
    await module.link((specifier, { identifier }) => load(resolve(specifier, identifier)));
  await module.evaluate();
  return module;
}

const { namespace } = await evaluated(import.meta.resolve(process.argv[2], import.meta.url));
console.log(Object.keys(namespace).length);
