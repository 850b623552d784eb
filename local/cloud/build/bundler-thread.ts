import { existsSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { Plugin } from "esbuild";
import { packagePlaceOf } from "../../../build/folders.ts";
import { createBundleMaker } from "./bundle-maker.ts";
import type { Problem } from "./bundling.ts";
import { loadFreshModules } from "./fresh-modules.ts";
import { readProblems } from "./problem.ts";
import type { BundlerAsk, BundlerData } from "./start-bundler.ts";

// The thread that bundles: what esbuild's plugins do with files would keep the world waiting.

const { serviceFolder, taskRoot, provider, bundling }: BundlerData = workerData;
const modules = loadFreshModules(serviceFolder);
const maker = createBundleMaker({
  ...{ serviceFolder, taskRoot, bundling },
  loadPlugins: async () => {
    if (bundling.plugins === undefined) return [];
    const { default: plugins } = await modules.load<PluginModule>(bundling.plugins);
    return typeof plugins === "function"
      ? plugins({ serviceDir: serviceFolder, service: { provider } })
      : plugins;
  },
});

interface PluginModule {
  readonly default: Plugin[] | ((serverless: object) => Plugin[]);
}

parentPort?.on("message", ({ id, ask }: { id: number; ask: BundlerAsk }) => {
  perform(ask).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    (error) => parentPort?.postMessage({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});

async function perform(ask: BundlerAsk): Promise<unknown> {
  switch (ask.kind) {
    case "bundle":
      return await maker.bundle(ask.order);
    case "check":
      return await check();
    case "warm":
      return await Promise.all([maker.prepare(), check()]);
    case "files":
      return modules.files();
    case "renew":
      modules.renew();
      return await maker.forget();
  }
}

const place = packagePlaceOf(serviceFolder);
const checkFile = `${place}build/check-config-files.${place === "" ? "ts" : "js"}`;

interface CheckModule {
  checkConfigFiles(projectFolder: string): Promise<readonly string[]>;
}

/** Checks config/ as a build for a deployment does; a service without this check has nothing to check. */
async function check(): Promise<Problem[]> {
  if (!existsSync(join(serviceFolder, checkFile))) return [];
  try {
    const { checkConfigFiles } = await modules.load<CheckModule>(checkFile);
    return (await checkConfigFiles(serviceFolder)).flatMap((line) => readProblems(line, serviceFolder));
  } catch (error) {
    return readProblems(error instanceof Error ? String(error.stack) : String(error), serviceFolder);
  }
}
