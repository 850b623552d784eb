import { relative } from "node:path";
import process from "node:process";

// The folder for the bundles; set by local/cloud/build/build-service.ts, which listens for the report.
const buildFolder = process.env.LOCAL_CLOUD_BUILD_FOLDER;

/**
 * Lets `serverless run` build the functions as for a deployment, into a folder outside the service, and report the
 * resolved serverless.yml. Does nothing in any other command, and nothing when serverless was not started for it.
 */
export default class LocalCloudPlugin {
  constructor(serverless) {
    this.hooks = {};
    if (buildFolder === undefined || serverless.processedInput.commands[0] !== "run") return;
    process.once("disconnect", () => process.exit(0)); // ends with its parent
    const workFolder = relative(serverless.serviceDir, buildFolder);
    serverless.extendConfiguration(["custom", "esbuild", "outputWorkFolder"], workFolder);
    // serverless-esbuild bundles before the event of this name.
    this.commands = { run: { usage: "Builds the functions for the local world", lifecycleEvents: ["run"] } };
    this.hooks = {
      "run:run": () => report(serverless),
      error: () => setTimeout(() => process.exit(1), 300), // it would wait for the bundler
    };
  }
}

function report({ service }) {
  const { provider, functions, resources } = service;
  const definition = { service: service.service, provider, functions, resources };
  process.send({ type: "built", definition: JSON.stringify(definition) }, () => process.exit(0));
}
