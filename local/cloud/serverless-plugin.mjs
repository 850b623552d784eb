import process from "node:process";
import { bundlingOf } from "../../build/bundle-functions.ts";

/** Reports the resolved serverless.yml and functions' bundling to local/cloud/build/resolve-service.ts. */
export default class LocalCloudPlugin {
  constructor(serverless) {
    this.hooks = {};
    if (process.send === undefined || serverless.processedInput.commands[0] !== "run") return;
    process.once("disconnect", () => process.exit(0));
    this.commands = { run: { usage: "Resolves the service for the local stack", lifecycleEvents: ["run"] } };
    this.hooks = {
      "run:run": () => report(serverless),
      error: () => setTimeout(() => process.exit(1), 300), // the channel to its parent would keep it running
    };
  }
}

function report(serverless) {
  const { service, provider, functions, resources } = serverless.service;
  const definition = { service, provider, functions, resources };
  const message = { definition, bundling: bundlingOf(serverless) };
  process.send({ type: "resolved", report: JSON.stringify(message) }, () => process.exit(0));
}
