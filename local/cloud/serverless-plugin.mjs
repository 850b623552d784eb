import { rmSync } from "node:fs";
import { join } from "node:path";

// Which local endpoints stand for AWS; set by local/cloud/start-cloud.ts, which also listens for the report.
const settings = process.env.LOCAL_CLOUD;

/**
 * Gives `serverless offline` the queues, tables and secrets that serverless.yml declares, and the functions their
 * addresses. Does nothing in any other command, and nothing when serverless was not started by start-cloud.ts.
 */
export default class LocalCloudPlugin {
  constructor(serverless) {
    this.hooks = {};
    if (settings === undefined || serverless.processedInput.commands[0] !== "offline") return;
    const { environment, ...endpoints } = JSON.parse(settings);
    endWithParent(useOwnBuildFolder(serverless));
    let report;
    this.hooks = {
      "before:offline:start:init": async () => {
        report = await prepare(serverless, endpoints, environment);
      },
      "after:offline:start:init": () => process.send?.(report),
      error: endSoon,
    };
  }
}

// Several local clouds may run from one folder; and nothing rebuilds under a running test.
function useOwnBuildFolder(serverless) {
  const folder = join(".esbuild", `local-${process.pid}`);
  serverless.extendConfiguration(["custom", "esbuild", "outputWorkFolder"], folder);
  serverless.extendConfiguration(["custom", "esbuild", "watch"], { pattern: [] });
  return join(serverless.serviceDir, folder);
}

function endWithParent(buildFolder) {
  process.once("disconnect", () => process.exit(0));
  process.once("exit", () => rmSync(buildFolder, { recursive: true, force: true }));
}

// After an error serverless prints it and then waits for whatever it had started, such as the bundler.
function endSoon() {
  setTimeout(() => process.exit(1), 300);
}

async function prepare({ service }, endpoints, environment) {
  const { provision } = await import("./provision.ts");
  const { serviceSchema } = await import("./service-definition.ts");
  const { report, environments } = await provision(serviceSchema.parse(service), endpoints);
  service.provider.environment = {};
  for (const [key, values] of Object.entries(environments)) {
    service.functions[key].environment = { ...values, ...environment };
  }
  return report;
}
