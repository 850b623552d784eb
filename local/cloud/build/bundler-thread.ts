import { existsSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { Plugin } from "esbuild";
import { packagePlaceOf } from "../../../build/folders.ts";
import { BundleMaker } from "./bundle-maker.ts";
import type { BundlerData, BundlerMessage, BundlerTasks } from "./bundler.ts";
import { readProblems } from "./problem.ts";

// A worker: bundling would block the local stack, and edited plugins load only in a new thread.

interface PluginModule {
  readonly default: Plugin[] | ((serverless: object) => Plugin[]);
}

interface CheckModule {
  checkConfigFiles(projectFolder: string): Promise<readonly string[]>;
}

const data: BundlerData = workerData;
const { serviceFolder, provider, bundling } = data;
const folder = realpathSync(serviceFolder);
const base = `${pathToFileURL(folder).href}/`;
const loaded = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith(base) && !url.includes("/node_modules/"))
      loaded.add(
        fileURLToPath(url)
          .slice(folder.length + 1)
          .replaceAll(sep, "/"),
      );
    return nextLoad(url, context);
  },
});

const load = <Module>(file: string): Promise<Module> => import(pathToFileURL(join(folder, file)).href);
const maker = new BundleMaker(data, async () => {
  if (bundling.plugins === undefined) return [];
  const { default: plugins } = await load<PluginModule>(bundling.plugins);
  return typeof plugins === "function"
    ? plugins({ serviceDir: serviceFolder, service: { provider } })
    : plugins;
});
const place = packagePlaceOf(serviceFolder);
const checkFile = `${place}build/check-config-files.${place === "" ? "ts" : "js"}`;

const tasks: BundlerTasks = {
  bundle: (order) => maker.bundle(order),
  async check() {
    if (!existsSync(join(serviceFolder, checkFile))) return [];
    try {
      const { checkConfigFiles } = await load<CheckModule>(checkFile);
      return (await checkConfigFiles(serviceFolder)).flatMap((line) => readProblems(line, serviceFolder));
    } catch (error) {
      return readProblems(textOf(error), serviceFolder);
    }
  },
  files: async () => [...loaded],
  async warm() {
    await Promise.all([maker.prepare(), tasks.check()]);
  },
};

parentPort?.on("message", ({ task, order, port }: BundlerMessage) => {
  const done: Promise<unknown> =
    task !== "bundle" ? tasks[task]() : order ? tasks.bundle(order) : Promise.resolve();
  done.then(
    (answer) => port.postMessage({ answer }),
    (error) => port.postMessage({ error: textOf(error) }),
  );
});

function textOf(error: unknown) {
  return error instanceof Error ? String(error.stack) : String(error);
}
