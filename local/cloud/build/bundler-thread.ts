import { existsSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { Plugin } from "esbuild";
import { packagePlaceOf } from "../../../build/folders.ts";
import { BundleMaker } from "./bundle-maker.ts";
import type { BundlerData, BundlerMessage, BundlerTasks } from "./bundler.ts";
import { loadFreshModules } from "./fresh-modules.ts";
import { readProblems } from "./problem.ts";

// In the main thread, esbuild's plugins would delay the local stack.

interface PluginModule {
  readonly default: Plugin[] | ((serverless: object) => Plugin[]);
}

interface CheckModule {
  checkConfigFiles(projectFolder: string): Promise<readonly string[]>;
}

const data: BundlerData = workerData;
const { serviceFolder, provider, bundling } = data;
const modules = loadFreshModules(serviceFolder);
const maker = new BundleMaker(data, async () => {
  if (bundling.plugins === undefined) return [];
  const { default: plugins } = await modules.load<PluginModule>(bundling.plugins);
  return typeof plugins === "function"
    ? plugins({ serviceDir: serviceFolder, service: { provider } })
    : plugins;
});
const place = packagePlaceOf(serviceFolder);
const checkFile = `${place}build/check-config-files.${place === "" ? "ts" : "js"}`;

const tasks: BundlerTasks = {
  bundle: (order) => maker.bundle(order),
  /** Checks config/ as the build for a deployment does. */
  async check() {
    if (!existsSync(join(serviceFolder, checkFile))) return [];
    try {
      const { checkConfigFiles } = await modules.load<CheckModule>(checkFile);
      return (await checkConfigFiles(serviceFolder)).flatMap((line) => readProblems(line, serviceFolder));
    } catch (error) {
      return readProblems(textOf(error), serviceFolder);
    }
  },
  files: async () => modules.files(),
  async renew() {
    modules.renew();
    await maker.forget();
  },
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

function textOf(error: unknown): string {
  return error instanceof Error ? String(error.stack) : String(error);
}
