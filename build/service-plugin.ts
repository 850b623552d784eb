import { addAddresses, nameCurrentAddress } from "./addresses.ts";
import { encryptStores } from "./customer-key.ts";
import { checkTemplate, guardDeployment, markRun } from "./deployment-guard.ts";
import { addRoles, functionProperties } from "./function-roles.ts";
import type { Serverless } from "./serverless.ts";
import { adoptTables } from "./take-back-tables.ts";
import { addWatch } from "./watch.ts";
import { leaveOutFlows } from "./without-flows.ts";

/** A serverless plugin: what packages, deployments and the local stack make of serverless.yml. */
export default class ServicePlugin {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: Serverless, options: { readonly package?: string }) {
    serverless.configSchemaHandler.defineFunctionProperties("aws", functionProperties);
    const prepare = async () => {
      await refuseInvalidConfig(serverless);
      leaveOutFlows(serverless);
      addAddresses(serverless);
      await addWatch(serverless);
    };
    this.hooks = {
      "before:package:initialize": async () => {
        await prepare();
        addRoles(serverless);
      },
      "before:run:run": async () => {
        await prepare();
        await markRun(serverless);
      },
      // After the service's resources, outputs and metadata are in the template.
      "after:aws:package:finalize:mergeCustomProviderResources": async () => {
        nameCurrentAddress(serverless);
        await checkTemplate(serverless);
        encryptStores(serverless);
      },
      "before:deploy:deploy": async () => {
        adoptTables(serverless);
        await guardDeployment(serverless, options.package);
      },
      // The code is built here, for the wanted stage.
      "before:deploy:function:initialize": async () => {
        await refuseInvalidConfig(serverless);
        await guardDeployment(serverless, undefined, { isBuiltHere: true });
      },
    };
  }
}

/** @throws Error without a stack: the bundler would report the mistakes file by file between its own lines */
export async function refuseInvalidConfig({
  serviceDir,
  classes,
}: Pick<Serverless, "serviceDir" | "classes">): Promise<void> {
  // Lazy: serverless loads plugins by `require`; this module awaits a file.
  const { checkConfigFiles } = await import("./check-config-files.ts");
  const mistakes = await checkConfigFiles(serviceDir);
  if (mistakes.length > 0) throw new classes.Error(mistakes.join("\n"), "CONFIG_DOES_NOT_FIT");
}
