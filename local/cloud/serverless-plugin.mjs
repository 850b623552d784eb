import { relative } from "node:path";
import process from "node:process";

// Set by local/cloud/build/resolve-service.ts, which waits for the report.
const buildFolder = process.env.LOCAL_CLOUD_BUILD_FOLDER;

/**
 * `serverless run` reports the resolved serverless.yml with serverless-esbuild's options, which the local
 * stack bundles with.
 * Has no effect on other commands, or if the local stack did not start serverless.
 */
export default class LocalCloudPlugin {
  constructor(serverless) {
    this.hooks = {};
    if (buildFolder === undefined || serverless.processedInput.commands[0] !== "run") return;
    process.once("disconnect", () => process.exit(0)); // ends with its parent
    const workFolder = relative(serverless.serviceDir, buildFolder);
    serverless.extendConfiguration(["custom", "esbuild", "outputWorkFolder"], workFolder);
    // serverless-esbuild does its own work before the event of this name.
    this.commands = { run: { usage: "Resolves the service for the local stack", lifecycleEvents: ["run"] } };
    this.hooks = {
      initialize: () => {
        const bundler = bundlerOf(serverless);
        // Its other files still go beside the bundles.
        bundler.bundle = async () => bundler.prepare();
      },
      "run:run": () => report(serverless),
      error: () => setTimeout(() => process.exit(1), 300), // its child processes may keep it running
    };
  }
}

function bundlerOf(serverless) {
  const found = serverless.pluginManager.plugins.find(
    (plugin) => plugin.constructor.name === "EsbuildServerlessPlugin",
  );
  if (found === undefined) throw new Error("serverless.yml lists no serverless-esbuild under `plugins`.");
  return found;
}

function report(serverless) {
  const { service } = serverless;
  const { provider, functions, resources } = service;
  const definition = { service: service.service, provider, functions, resources };
  const message = { type: "resolved", definition, bundling: bundlingOf(bundlerOf(serverless)) };
  process.send({ type: "resolved", report: JSON.stringify(message) }, () => process.exit(0));
}

const ownSettings = [
  ...["concurrency", "zipConcurrency", "exclude", "nativeZip", "packager", "packagePath", "watch"],
  ...[
    "keepOutputDirectory",
    "packagerOptions",
    "installExtraArgs",
    "outputFileExtension",
    "outputBuildFolder",
  ],
  ...["outputWorkFolder", "nodeExternals", "skipBuild", "skipRebuild", "skipBuildExcludeFns"],
  ...["stripEntryResolveExtensions", "disposeContext", "plugins"],
];

function bundlingOf({ buildOptions, functionEntries }) {
  const { external = [], exclude = [], outputFileExtension: extension, plugins } = buildOptions;
  const options = Object.fromEntries(
    Object.entries(buildOptions).filter(([name]) => !ownSettings.includes(name)),
  );
  const excluded = [exclude].flat();
  return {
    options: {
      ...options,
      external: [...[external].flat(), ...(excluded.includes("*") ? [] : excluded)],
      ...(extension !== ".js" && { outExtension: { ".js": extension } }),
    },
    ...(plugins !== undefined && { plugins }),
    extension,
    entries: Object.fromEntries(functionEntries.map(({ functionAlias, entry }) => [functionAlias, entry])),
  };
}
